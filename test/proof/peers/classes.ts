import type { DefectKind } from '#src/contract/defect-kinds.ts';
import type { listFaults } from '#src/reference/catalog.ts';
import { requirementOf } from '#src/requirements/catalogue.ts';

type Fault = ReturnType<typeof listFaults>[number];

/** The kind of a fault: its own, or that of the requirement that it is tied to first. */
export function classOf({ defect, kills }: Pick<Fault, 'defect' | 'kills'>): DefectKind {
  const [first] = kills;
  const usual = first === undefined ? undefined : requirementOf(first).defect;
  return defect ?? usual ?? 'values and relations';
}
