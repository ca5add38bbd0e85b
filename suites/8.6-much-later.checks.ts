// Every endpoint once more near the end of a long run: what breaks after a while, or after the reset of a window, breaks here.
import { ENDPOINT_PATHS } from '../src/contract/endpoints.ts';
import { plain, requirement } from '../src/suite/index.ts';

requirement.for('4/no-5xx', ENDPOINT_PATHS, { profile: 'full' })(
  '%s, once more at the end',
  async (path, { api, expect }) => {
    const first = await plain(api, path, { anyAnswer: true });
    expect([first, await plain(api, path, { anyAnswer: true, fresh: true })]).toConform();
  },
);
