/** A field, a list index, or `-` for the end. */
export type ObjectPathStep = string;

export type PathReading =
  | { readonly outcome: 'read'; readonly steps: readonly ObjectPathStep[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Reads a JSON Pointer (`/spec/containers/0/image`), `spec.containers[0].image` or `spec.containers.0.image`. Dots in fields: `\.` or
 * `metadata.labels['app.kubernetes.io/name']`.
 */
export function readPath(path: string): PathReading {
  const steps = path.startsWith('/') ? pointerSteps(path) : dottedSteps(path);
  if (steps && steps.length > 0 && !steps.includes('')) return { outcome: 'read', steps };
  const error = `${path === '' ? "''" : path} is no path; write spec.containers[0].image or /spec/containers/0/image`;
  return { outcome: 'unreadable', error };
}

const pointerSteps = (path: string): readonly ObjectPathStep[] | undefined =>
  /~(?![01])/.test(path)
    ? undefined
    : path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const dottedStep = /(?:^|\.)((?:[^.[\]\\]|\\.)+)|\[(?:'([^']+)'|"([^"]+)"|([0-9]+|-))\]/y;

function dottedSteps(path: string): readonly ObjectPathStep[] | undefined {
  const steps: ObjectPathStep[] = [];
  dottedStep.lastIndex = 0;
  for (let at = 0; at < path.length; at = dottedStep.lastIndex) {
    const match = dottedStep.exec(path);
    if (!match) return undefined;
    const [, field = '', single, double, index] = match;
    steps.push(single ?? double ?? index ?? field.replaceAll(/\\(.)/g, '$1'));
  }
  return steps;
}

/** In JSON Pointer form. */
export const escapedStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');
