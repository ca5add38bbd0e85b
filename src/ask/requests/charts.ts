// What a run asks of analysis charts (§4.6, §4.7): the list, and the charts that it names.
import { plain, Untested, type Answer, type Ask, type CheckContext } from '../index.ts';

type Api = CheckContext['api'];

/**
 * The chart list and the names in it.
 * @throws Untested when it names none
 */
async function listed(api: Api): Promise<{ list: Answer; names: readonly string[] }> {
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

/** The list, and the chart that is asked for anyway, if the list has it; else the first one. */
export const listedChart: Ask = async ({ api }) => {
  const { list, names } = await listed(api);
  const [known] = await api.fixtures('chartNames');
  const name = known !== undefined && names.includes(known) ? known : names[0];
  return [list, await chart(api, name ?? '')];
};

/** The list, and all charts in it. */
export const everyChart: Ask = async ({ api }) => {
  const { list, names } = await listed(api);
  const answers = [list];
  for (const name of names) answers.push(await chart(api, name));
  return answers;
};
