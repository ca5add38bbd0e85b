// §4.1, §7 Currencies that do not exist, below every path that names one, asked with a key that is restricted elsewhere.
import { requirement } from '../src/suite/index.ts';
import { mustBeAllowed } from '../src/ask/requests/restricted-key.ts';
import {
  askCurrency,
  INFO,
  malformed,
  OF_CURRENCY,
  unknownCurrencyId,
} from '../src/ask/requests/unknown-currency.ts';

requirement.for('5/restricted-elsewhere', OF_CURRENCY)(
  'asks %s for a currency that does not exist',
  async (path, context) => {
    await mustBeAllowed(context, path);
    const id = await unknownCurrencyId(context, 'restricted');
    context.expect(await askCurrency(context.api, path, id, 'restricted')).toConform();
  },
);

/** The information itself is asked so with a valid key (7/malformed-currency-id). */
const BELOW = OF_CURRENCY.filter((path) => path !== INFO);

requirement.for('5/restricted-elsewhere', BELOW)(
  'asks %s for a malformed currency_id',
  async (path, context) => {
    await mustBeAllowed(context, path);
    context.expect(await malformed(context, path, 'restricted')).toConform();
  },
);
