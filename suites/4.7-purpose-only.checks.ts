// §4.7 Endpoints with stated purpose only, and §2.11, §4.6 the charts that they go with.
import { ENDPOINT_PATHS, endpoint } from '../src/contract/endpoints.ts';
import { requirementJudgedBy } from '../src/requirements/judging.ts';
import { ANSWERED } from '../src/rules/shapes.ts';
import { plain, requirement, Untested, type Api, type Answer } from '../src/suite/index.ts';

const PURPOSE_ONLY = ENDPOINT_PATHS.filter((path) => endpoint(path).section === '4.7');

for (const path of PURPOSE_ONLY) {
  const id = requirementJudgedBy(ANSWERED[path]);
  if (id === undefined) throw new RangeError(`No requirement says that ${path} answers`);
  requirement(id, async ({ api, expect }) => {
    expect(await plain(api, path)).toConform();
  });
}

requirement.for('4.7/record-shapes', PURPOSE_ONLY)('%s', async (path, { api, observe }) => {
  observe(await plain(api, path));
});

const smoke = { profile: 'smoke' } as const;

requirement(
  '4.6/analyses',
  async ({ api, expect }) => {
    expect(await plain(api, '/analyses')).toConform();
  },
  smoke,
);

requirement(
  '2.11/time-field-listed',
  async ({ api, expect }) => {
    expect(await plain(api, '/analyses')).toConform();
  },
  smoke,
);

requirement(
  '2.11/names-unique',
  async ({ api, expect }) => {
    expect(await plain(api, '/analyses')).toConform();
  },
  smoke,
);

/** The chart list and the names in it. */
async function listedCharts(api: Api): Promise<{ list: Answer; names: string[] }> {
  const list = await plain(api, '/analyses');
  const names = list.records.flatMap(({ value }) => {
    const name = (value as Partial<Record<string, unknown>> | null)?.['chart_name'];
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  if (names.length === 0) throw new Untested('the chart list names no chart');
  return { list, names: [...new Set(names)] };
}

const chart = (api: Api, name: string): Promise<Answer> =>
  plain(api, '/analyses/{chart_name}', { path: { chart_name: name } });

requirement('4.6/charts-resolve', 'a listed chart', async ({ api, expect }) => {
  const { list, names } = await listedCharts(api);
  // The chart that is asked for anyway, if the list has it.
  const [known] = await api.fixtures('chartNames');
  const name = known !== undefined && names.includes(known) ? known : names[0];
  expect([list, await chart(api, name ?? '')]).toConform();
});

requirement(
  '4.6/charts-resolve',
  'every listed chart',
  async ({ api, expect }) => {
    const { list, names } = await listedCharts(api);
    const answers = [list];
    for (const name of names) answers.push(await chart(api, name));
    expect(answers).toConform();
  },
  { profile: 'full' },
);

requirement('2.11/data-shape', async ({ api, observe }) => {
  observe(await plain(api, '/analyses/{chart_name}'));
});
