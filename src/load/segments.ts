/**
 * Execution segments like those of the k6-operator: each instance of k6 gets an even share of virtual users and
 * iterations, and the numbers that scripts use to distribute keys stay unique over all instances.
 */
export function segmentArguments(instance: number, of: number): string[] {
  if (of < 2) return [];
  const edge = (index: number): string =>
    index === 0 ? '0' : index === of ? '1' : `${index}/${of}`;
  const sequence = Array.from({ length: of + 1 }, (_, index) => edge(index)).join(',');
  return [
    `--execution-segment=${edge(instance)}:${edge(instance + 1)}`,
    `--execution-segment-sequence=${sequence}`,
  ];
}
