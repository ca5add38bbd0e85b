import { ANSWERS } from './answers.ts';
import { ATTACKS } from './attacks.ts';
import type { Behaviour } from './behaviour.ts';
import { BODIES } from './bodies.ts';
import { CONNECTIONS } from './connections.ts';
import { ECHOES } from './echoes.ts';
import { FRAMING } from './framing.ts';
import { HEADERS } from './headers.ts';

/** All behaviours of hostile or broken targets, by category. */
export const BATTERY: Readonly<Record<string, readonly Behaviour[]>> = {
  framing: FRAMING,
  bodies: BODIES,
  headers: HEADERS,
  connections: CONNECTIONS,
  answers: ANSWERS,
  echoes: ECHOES,
  attacks: ATTACKS,
};

export const BEHAVIOURS: readonly Behaviour[] = Object.values(BATTERY).flat();
