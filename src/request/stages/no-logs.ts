import { refuse } from '../../apimachinery/result.ts';
import { notImplemented } from '../../apimachinery/status.ts';
import type { Stage } from '../stage.ts';

/** Logs live on a node, and there is none. */
export const noLogs: Stage = {
  name: 'no-logs',
  run: () => refuse(notImplemented('pods have no logs here: no container runs')),
};
