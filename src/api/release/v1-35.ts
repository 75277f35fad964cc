import delta from './older/v1.35.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

/** What Kubernetes v1.35 has otherwise than v1.36. */
export const v135: ReleaseDelta = delta;
