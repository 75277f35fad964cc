import delta from './older/v1.35.json' with { type: 'json' };
import type { ReleaseDelta } from './table-delta.ts';

export const v135: ReleaseDelta = delta;
