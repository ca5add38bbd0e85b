// Currencies that a target cannot know, and identifiers of the wrong form (§7, ruling 11).
import { missingSetting } from '../../src/spec/cause.ts';
import { ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { plain, Untested, type Answer, type Api, type CheckContext } from '../../src/ask/index.ts';
import { mustBeLetIn } from './unknown-resource-requests.ts';

export const INFO: EndpointPath = '/currencies/{currency_id}';

/** Endpoints below a currency. */
export const OF_CURRENCY = ENDPOINT_PATHS.filter((path) => path.startsWith(INFO));

/**
 * The answer to a currency_id of the wrong form. Without one in the target file a guess is sent; whether that has the
 * wrong form is for the target to say.
 * @throws Untested when the target takes the guess for something else, or the key may not ask
 */
export async function malformed(
  { api, session }: CheckContext,
  path = INFO,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const given = session.target.fixtures.malformedCurrencyId;
  const id = given ?? '!not-an-id!';
  const ask = (place: EndpointPath): Promise<Answer> => askCurrency(api, place, id, role);
  if (given !== undefined) return ask(path);
  const answer = await ask(INFO);
  // Whatever it is taken for elsewhere, it must not bring the server down.
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

/** The plain request below a currency with another identifier; that of a known one, with a good key, is the control. */
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
  // Nothing about the identifier: the key is refused.
  if (role !== 'valid') mustBeLetIn(answer);
  return answer;
}

/**
 * Endpoints that are asked for an unknown currency where one has to do for all; the seed says which. Lists come first:
 * it is there that a currency that does not exist looks like one without data.
 */
const TELLING: readonly EndpointPath[] = [
  '/currencies/{currency_id}/klines',
  '/currencies/{currency_id}/pairs',
  INFO,
  '/currencies/{currency_id}/market-snapshot',
];

/**
 * The answer to a well-formed currency_id that matches nothing: that of the target file, or one that was made up and
 * which the target says it does not have. What is made up may exist or have the wrong form, so that it accuses nobody.
 * @throws Untested when the target has or refuses whatever is made up, or the key may not ask
 */
export async function unknownCurrency(
  { api, session }: CheckContext,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const { ids, given } = await session.unknownIds('currency_id');
  const place = TELLING[Math.abs(session.seed - 1) % TELLING.length] ?? INFO;
  for (const id of ids) {
    const answer = await askCurrency(api, place, id, role);
    const agreed =
      given ||
      answer.status === 404 ||
      // Found at one endpoint and not at another: then the former made it up.
      (answer.status < 300 &&
        place !== INFO &&
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

/** A well-formed currency_id that matches nothing. */
export async function unknownCurrencyId(
  context: CheckContext,
  role: KeyRole = 'valid',
): Promise<string> {
  const { exchange } = await unknownCurrency(context, role);
  return exchange.pathParameters['currency_id'] ?? '';
}

/** The answer of an endpoint below a currency to one that does not exist. */
export async function belowUnknown(
  path: EndpointPath,
  context: CheckContext,
  role: KeyRole = 'valid',
): Promise<Answer> {
  const id = await unknownCurrencyId(context, role);
  return askCurrency(context.api, path, id, role);
}
