// Unknown and malformed currency ids (§7, ruling 11).
import { missingSetting } from '../../src/spec/cause.ts';
import { ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { plain, Untested, type Answer, type Api, type CheckContext } from '../../src/ask/index.ts';
import { mustBeLetIn } from './unknown-resource-requests.ts';

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
  const ask = (endpoint: EndpointPath): Promise<Answer> => askCurrency(api, endpoint, id, role);
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
