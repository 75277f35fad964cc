import { standard } from '../standard.ts';
import type { Operation, Operations } from '../operation.ts';

/** Every function of Kubernetes CEL, by name. */
export const kubernetesOperations: Operations = new Map<string, Operation>([...standard]);
