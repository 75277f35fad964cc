import type { TracedDecision } from '../trace/trace.ts';
import type { Actor } from './finding.ts';

export const actorOf = (decision: TracedDecision): Actor => ({
  type: decision.type,
  name: decision.name,
  ...(decision.type === 'webhook' ? { configuration: decision.configuration } : {}),
});

export const isSameActor = (one: Actor, other: Actor): boolean =>
  one.type === other.type && one.name === other.name && one.configuration === other.configuration;

/** `proxy.example.com (sidecars)`, `policy team-labels`, `plugin LimitRanger`. */
export const actorText = ({ type, name, configuration }: Actor): string =>
  type === 'webhook' ? `${name} (${configuration ?? ''})` : `${type} ${name}`;
