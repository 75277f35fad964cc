import type { Switchboard } from '../stubs/switchboard.ts';
import type { Scenario } from './format.ts';
import type { WorldSetup, WorldUser } from './world.ts';

export function setupOf(scenario: Scenario, switchboard: Switchboard): WorldSetup {
  const {
    clock,
    seed,
    controllers,
    nodes,
    enableAdmissionPlugins,
    disableAdmissionPlugins,
    authorizationMode,
    assume,
  } = scenario;
  const users = usersIn(scenario);
  const ownPlugins = (scenario.plugins ?? []).map(({ another }) => another());
  return {
    switchboard,
    clock,
    seed,
    controllers,
    nodes,
    enableAdmissionPlugins,
    disableAdmissionPlugins,
    authorizationMode,
    ...(assume && { assume }),
    users,
    ownPlugins,
    ...(scenario.kubernetesVersion === undefined ? {} : { kubernetesVersion: scenario.kubernetesVersion }),
    ...(scenario.policySeed === undefined ? {} : { policySeed: scenario.policySeed }),
  };
}

/** Why a scenario cannot run on another server. */
export function whyNotElsewhere(scenario: Scenario): string | undefined {
  const { apiFaults = [], converters = [], plugins = [], assume = [] } = scenario;
  if (assume.length > 0)
    return 'another server calls every webhook, whatever is assumed: leave this scenario out with --filter';
  if (apiFaults.length > 0)
    return 'its apiFaults cannot happen on another server: leave this scenario out with --filter';
  if (plugins.length > 0) return 'another server has no plugins of yours: leave this scenario out with --filter';
  return converters.length > 0
    ? 'another server cannot be told where its converters are: leave this scenario out with --filter'
    : undefined;
}

/** Users of the steps, each once. */
function usersIn({ steps }: Scenario): readonly WorldUser[] {
  const users = steps.flatMap(({ as }) => (as ? [as] : []));
  return [...new Map(users.map((user) => [user.username, user])).values()];
}
