import { ENDPOINT_PATHS, type EndpointPath } from './endpoints.ts';

/**
 * The endpoint of a request path (relative to the base URL, without query). Literal segments take precedence over
 * parameters.
 */
export function matchEndpoint(
  path: string,
): { endpoint: EndpointPath; parameters: Record<string, string> } | undefined {
  const segments = path.split('/');
  let best:
    | { endpoint: EndpointPath; parameters: Record<string, string>; literal: number }
    | undefined;
  for (const candidate of ENDPOINT_PATHS) {
    const template = candidate.split('/');
    if (template.length !== segments.length) continue;
    const parameters: Record<string, string> = {};
    let literal = 0;
    const matches = template.every((part, index) => {
      const segment = segments[index] ?? '';
      if (part.startsWith('{')) {
        if (segment === '') return false;
        parameters[part.slice(1, -1)] = decodeSegment(segment);
        return true;
      }
      literal += 1;
      return part === segment;
    });
    if (matches && (best === undefined || literal > best.literal)) {
      best = { endpoint: candidate, parameters, literal };
    }
  }
  return best && { endpoint: best.endpoint, parameters: best.parameters };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
