import delta from './older/v1.34.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

export const v134: ReleaseDelta = delta;
