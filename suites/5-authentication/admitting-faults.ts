import type { Context, Hooks } from '../../src/reference/hooks.ts';

/** Treats requests without a good key as if they had a valid one. */
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
