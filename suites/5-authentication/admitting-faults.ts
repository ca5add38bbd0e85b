import type { Context, Hooks } from '../../src/reference/hooks.ts';

/** Lets requests in that have no good key, as if their key were a valid one of its own. */
export const admitting = (when: (context: Context) => boolean): Hooks => ({
  key: (key, context) =>
    when(context)
      ? {
          key: `admitted:${context.apiKey ?? ''}`,
          role: 'valid',
          state: 'active',
          forbidden: new Set(),
          usage: { requests: 0, admitted: 0, limited: 0 },
        }
      : key,
});
