import delta from './older/v1.33.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

/** What Kubernetes v1.33 has otherwise than v1.36. */
export const v133: ReleaseDelta = delta;
