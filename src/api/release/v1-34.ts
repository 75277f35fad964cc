import delta from './older/v1.34.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

/** What Kubernetes v1.34 has otherwise than v1.36. */
export const v134: ReleaseDelta = delta;
