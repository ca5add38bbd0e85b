// Unknown identifiers other than currency ids (§7, ruling 11).
import { missingSetting } from '../../src/spec/cause.ts';
import {
  ENDPOINT_PATHS,
  endpoint,
  identifierOf,
  type EndpointPath,
} from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { plain, Untested, type Answer, type CheckContext } from '../../src/ask/index.ts';

export const IDENTIFIED = ENDPOINT_PATHS.filter((path) => {
  const [name] = Object.keys(endpoint(path).path);
  return name !== undefined && name !== 'currency_id';
});

/**
 * The answer to an unknown identifier from the target file. Without one, makes up two: if the first seems to exist, the
 * second must too before that counts. If both are malformed, derives two from known ones, which count only if not
 * found.
 * @throws Untested if all four are inconclusive, or the key has no access
 */
export async function unknownResource(
  { api, session }: CheckContext,
  path: EndpointPath,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const { name, kind } = identifierOf(path);
  const known = await api.fixtures(kind);
  const { exchange } = await plain(api, path, { anyAnswer: true });
  const found = exchange.pathParameters[name] ?? '';
  const ask = async (id: string): Promise<Answer> => {
    const answer = await plain(api, path, {
      path: { [name]: id },
      role,
      control: { path: { [name]: found }, role: 'valid' },
      anyAnswer: true,
    });
    // A refusal of the key says nothing about the identifier.
    if (role !== 'valid') mustBeLetIn(answer);
    return answer;
  };
  const { ids, given } = await session.unknownIds(name);
  const answered: [string, Answer][] = [];
  const asUnknown = (id: string, answer: Answer): Answer => {
    session.unknown(name, id);
    for (const [other] of answered) if (other !== id) session.doubtful(name, other);
    return answer;
  };
  for (const id of ids) {
    const answer = await ask(id);
    if (given || answer.status === 404 || answer.status >= 429) return asUnknown(id, answer);
    if (answer.status < 300) answered.push([id, answer]);
  }
  const [first] = answered;
  if (first !== undefined && answered.length === ids.length) return asUnknown(...first);
  for (const id of ids) session.doubtful(name, id);
  for (const attempt of [0, 1]) {
    const id = session.similarId(known, attempt);
    const answer = await ask(id);
    if (answer.status === 404) return asUnknown(id, answer);
    session.doubtful(name, id);
  }
  throw new Untested(
    `the target does not treat ${ids.join(' or ')} as unknown: set fixtures.unknownIds`,
    missingSetting(`fixtures.unknownIds.${name}`),
  );
}

/** @throws Untested if the answer is a refusal of the key */
export function mustBeLetIn({ exchange, status }: Answer): void {
  if (status !== 401 && status !== 403) return;
  throw new Untested(`${exchange.request.path} refuses the ${exchange.role} key with ${status}`);
}
