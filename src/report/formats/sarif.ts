import { jsonText } from '../../text/json-text.ts';
import { visible, oneLine } from '../../text/text.ts';
import { groupCauses, type Cause } from '../analysis/causes.ts';
import { exchangeLine } from '../analysis/evidence-text.ts';
import { markOf, originOf } from '../analysis/history.ts';
import { factsOf } from '../analysis/outline.ts';
import { groupBy } from '../../text/group-by.ts';
import { asShown } from '../analysis/shown.ts';
import { reachedVerdict } from '../model/gate.ts';
import type { RequirementResult, Results } from '../model/results.ts';
import { waivedWords } from '../model/status.ts';

/** The URI of a path as a user writes it, on any system. */
function uriOf(file: string): string {
  const parts = file.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  // A file name may contain lone surrogates, which a URI cannot.
  const encoded = parts.map((part) => encodeURIComponent(part.replaceAll(/\p{Cs}/gu, '\uFFFD')));
  const uri = encoded.join('/');
  const isDrive = /^[A-Za-z]:[\\/]/.test(file);
  if (isDrive) return `file:///${uri.replace('%3A', ':')}`;
  return /^[\\/]/.test(file) ? `file:///${uri}` : uri;
}

/** A waived cause keeps its level. */
const levelOf = ({ level }: RequirementResult): 'error' | 'warning' =>
  level === 'must' ? 'error' : 'warning';

function resultOf(cause: Cause, uri: string, results: Results): Readonly<Record<string, unknown>> {
  const { requirement } = cause.example;
  const lines = [
    oneLine(cause.message, 1_000),
    ...factsOf(cause, results).map(({ label, text }) => `${label}: ${oneLine(text, 500)}`),
  ];
  const mark = markOf(cause, results);
  const justification = oneLine(waivedWords(requirement, results), 500);
  return {
    ruleId: requirement.id,
    level: levelOf(requirement),
    message: { text: lines.join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: [
          {
            name: `§${visible(requirement.section)}`,
            fullyQualifiedName: cause.exchange === null ? 'run' : exchangeLine(cause.exchange),
            kind: 'member',
          },
        ],
      },
    ],
    ...(mark !== null && { baselineState: mark === 'new' ? mark : 'unchanged' }),
    ...(cause.outcome === 'waived' && {
      suppressions: [{ kind: 'external', status: 'accepted', justification }],
    }),
    partialFingerprints: { 'assayCause/v1': cause.id },
    properties: {
      requirements: cause.requirements.map(({ id }) => id),
      endpoints: cause.endpoints.map((path) => oneLine(path, 200)),
      findings: cause.members.length,
      ...(mark === 'new' && { because: originOf(cause, results) ?? 'target' }),
    },
  };
}

/** The causes, each followed by the violated requirements that are the example of none, so that every one has a result. */
function withFollowers(causes: readonly Cause[], { exchanges }: Results): readonly Cause[] {
  const told = new Set(causes.map(({ example }) => example.requirement.id));
  return causes.flatMap((cause) => {
    const own = [...groupBy(cause.members, ({ requirement }) => requirement.id)];
    const followers = own.filter(([id]) => !told.has(id));
    for (const [id] of followers) told.add(id);
    const parts = followers.map(([, members]): Cause => {
      const [example] = members;
      const { requirement, finding } = example;
      const exchange = exchanges.find(({ id }) => id === finding.exchange) ?? null;
      const outcome = requirement.outcome as Cause['outcome'];
      const fresh = cause.fresh.filter((one) => one.requirement === requirement);
      const id = `${cause.id}/${requirement.id}`;
      const part = { id, members, fresh, requirements: [requirement] };
      return {
        ...cause,
        ...part,
        outcome,
        message: finding.message,
        example,
        exchange,
        related: [],
      };
    });
    return [cause, ...parts];
  });
}

/** Renders SARIF 2.1.0: one rule per violated requirement, a result per cause and requirement. Contains no bodies. */
export function renderSarif(recorded: Results): string {
  const results = asShown(recorded);
  // Readers such as GitHub silently drop more.
  const causes = withFollowers(groupCauses(results), results).slice(0, 5_000);
  // The file that `assay init` would write: code scanning drops findings in files that the repository does not have.
  const uri = uriOf(results.target.file ?? 'assay.target.yaml');
  const rules = new Map(
    causes.map(({ example: { requirement } }) => [requirement.id, requirement] as const),
  );
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            semanticVersion: results.tool.version,
            rules: [...rules.values()].map((rule) => ({
              id: rule.id,
              shortDescription: { text: oneLine(rule.title, 500) },
              fullDescription: {
                text: `§${oneLine(rule.section, 20)}, ${rule.level}, ${rule.basis}`,
              },
              defaultConfiguration: { level: levelOf(rule) },
            })),
          },
        },
        invocations: [
          {
            startTimeUtc: results.startedAt,
            endTimeUtc: results.endedAt,
            exitCode: results.exitCode,
            executionSuccessful: reachedVerdict(results.verdict),
          },
        ],
        results: causes.map((cause) => resultOf(cause, uri, results)),
        properties: { verdict: results.verdict, sentence: oneLine(results.sentence, 1_000) },
      },
    ],
  };
  return `${jsonText(log)}\n`;
}
