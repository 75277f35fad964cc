import delta from './older/v1.32.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

export const v132: ReleaseDelta = delta;
