// Unknown and malformed identifiers (§7, ruling 11).
import { missingSetting, NO_DATA } from '../../src/spec/cause.ts';
import {
  ENDPOINT_PATHS,
  type EndpointPath,
  endpoint,
  identifierOf,
} from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { plain, Untested, type Answer, type Api, type CheckContext } from '../../src/ask/index.ts';

export const INFO: EndpointPath = '/currencies/{currency_id}';

export const OF_CURRENCY = ENDPOINT_PATHS.filter((path) => path.startsWith(INFO));

/**
 * The answer to a malformed currency_id. Without one in the target file, tries a guess.
 * @throws Untested if the target does not treat the guess as malformed, or the key has no access
 */
export async function malformed(
  { api, session }: CheckContext,
  path = INFO,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const given = session.target.fixtures.malformedCurrencyId;
  const id = given ?? '!not-an-id!';
  const ask = (at: EndpointPath): Promise<Answer> => askCurrency(api, at, id, role);
  if (given !== undefined) return ask(path);
  const answer = await ask(INFO);
  // Even if it is not malformed to this target, it must not crash other endpoints.
  const asked = path === INFO ? answer : await ask(path);
  if (answer.status !== 400 && answer.status !== 422) {
    session.doubtful('currency_id', id);
    throw new Untested(
      `the format of a currency_id is not specified, and ${id} was answered with ${answer.status}: set fixtures.malformedCurrencyId`,
      missingSetting('fixtures.malformedCurrencyId'),
    );
  }
  session.malformed(id);
  return asked;
}

/** The plain request below a currency with another id; a known one is the control. */
async function askCurrency(
  api: Api,
  path: EndpointPath,
  id: string,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const known = await api.fixture('currencyIds', path);
  const answer = await plain(api, path, {
    path: { currency_id: id },
    role,
    control: { path: { currency_id: known }, role: 'valid' },
  });
  // A refusal of the key says nothing about the identifier.
  if (role !== 'valid') mustBeLetIn(answer);
  return answer;
}

/**
 * Endpoints for an unknown currency if one must do; the seed chooses. Lists come first, because there an unknown
 * currency is easily mistaken for one without data.
 */
const TELLING: readonly EndpointPath[] = [
  '/currencies/{currency_id}/klines',
  '/currencies/{currency_id}/pairs',
  INFO,
  '/currencies/{currency_id}/market-snapshot',
];

/**
 * The answer to an unknown, well-formed currency_id: from the target file, or made up and confirmed unknown by the
 * target. A made-up one may exist or be malformed, so it proves nothing by itself.
 * @throws Untested if the target knows or rejects every made-up id, or the key has no access
 */
export async function unknownCurrency(
  { api, session }: CheckContext,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const { ids, given } = await session.unknownIds('currency_id');
  const path = TELLING[Math.abs(session.seed - 1) % TELLING.length] ?? INFO;
  for (const id of ids) {
    const answer = await askCurrency(api, path, id, role);
    const agreed =
      given ||
      answer.status === 404 ||
      // Found by one endpoint and not by another: the former made it up.
      (answer.status < 300 &&
        path !== INFO &&
        (await askCurrency(api, INFO, id, role)).status === 404);
    if (agreed) {
      session.unknown('currency_id', id);
      return answer;
    }
    session.doubtful('currency_id', id);
  }
  throw new Untested(
    `the target treats ${ids.join(', ')} as known or malformed: set fixtures.unknownCurrencyId`,
    missingSetting('fixtures.unknownCurrencyId'),
  );
}

/** An unknown, well-formed currency_id. */
export async function unknownCurrencyId(
  context: CheckContext,
  role: KeyRole = 'valid',
): Promise<string> {
  const { exchange } = await unknownCurrency(context, role);
  return exchange.pathParameters['currency_id'] ?? '';
}

/** The answer of an endpoint to an unknown currency. */
export async function belowUnknown(
  context: CheckContext,
  path: EndpointPath,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const id = await unknownCurrencyId(context, role);
  return askCurrency(context.api, path, id, role);
}

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
  const reason = `${exchange.request.path} refuses the ${exchange.role} key with ${status}`;
  throw new Untested(reason, NO_DATA, { hinderedBy: [exchange.id] });
}
