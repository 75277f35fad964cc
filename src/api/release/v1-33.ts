import delta from './older/v1.33.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

export const v133: ReleaseDelta = delta;
