import delta from './older/v1.32.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

/** What Kubernetes v1.32 has otherwise than v1.36. */
export const v132: ReleaseDelta = delta;
