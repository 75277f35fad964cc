import type { GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { AdmissionPhase } from './admission-phase.ts';
import type { Operation } from './attributes.ts';
import type { ChainPlugin } from './chain-plugin.ts';

/** A plugin in its place in a pass. */
export interface PluginTurn {
  /** Those just before it that have nothing to do for the resource. */
  readonly idle: readonly string[];
  /** Undefined where only such are left. */
  readonly plugin: ChainPlugin | undefined;
}

/** The plugins that have a turn in a pass, in their order. */
export type TurnsOf = (operation: Operation, resource: GroupVersionResource) => readonly PluginTurn[];

/** Of forty plugins most look at Pods alone, or at one resource of theirs: who is idle is told once for each that one names. */
export function createTurns(phase: AdmissionPhase, plugins: readonly ChainPlugin[]): TurnsOf {
  const ofPhase = plugins.filter(({ mutate, openMutation, validate }) =>
    phase === 'mutating' ? (mutate ?? openMutation) : validate,
  );
  const all = {
    CREATE: inOperation('CREATE'),
    UPDATE: inOperation('UPDATE'),
    DELETE: inOperation('DELETE'),
    CONNECT: inOperation('CONNECT'),
  };
  function inOperation(operation: Operation): OfOperation {
    return turnsByResource(
      phase,
      ofPhase.filter(({ operations }) => operations.includes(operation)),
    );
  }
  return (operation, { resource }) => all[operation].named.get(resource) ?? all[operation].others;
}

interface OfOperation {
  /** By the name of a resource, of whatever group: a plugin looks at that itself. */
  readonly named: ReadonlyMap<string, readonly PluginTurn[]>;
  readonly others: readonly PluginTurn[];
}

function turnsByResource(phase: AdmissionPhase, plugins: readonly ChainPlugin[]): OfOperation {
  const onlyOf = ({ mutatesOnly, validatesOnly }: ChainPlugin): ChainPlugin['mutatesOnly'] =>
    phase === 'mutating' ? mutatesOnly : validatesOnly;
  const isIdle = (plugin: ChainPlugin, name: string | undefined): boolean =>
    onlyOf(plugin)?.every(({ resource }) => resource !== name) === true;
  const turnsFor = (name: string | undefined): readonly PluginTurn[] => {
    const turns: PluginTurn[] = [];
    let idle: string[] = [];
    for (const plugin of plugins) {
      if (isIdle(plugin, name)) idle.push(plugin.name);
      else {
        turns.push({ idle, plugin });
        idle = [];
      }
    }
    return idle.length === 0 ? turns : [...turns, { idle, plugin: undefined }];
  };
  const names = new Set(plugins.flatMap((plugin) => onlyOf(plugin) ?? []).map(({ resource }) => resource));
  return { named: new Map([...names].map((name) => [name, turnsFor(name)])), others: turnsFor(undefined) };
}
