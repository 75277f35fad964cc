import type { TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';

/** Whose turn a decision was, as orders name it: a policy by its name, a webhook as `CONFIGURATION/WEBHOOK`. */
export const turnId = (
  one: Pick<TracedPolicy, 'type' | 'name'> | Pick<TracedWebhook, 'type' | 'configuration' | 'name'>,
): string => (one.type === 'policy' ? one.name : `${one.configuration}/${one.name}`);
