import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { CommandContext } from '../../src/app/cli/command-context.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';

const unused = (): Promise<never> => Promise.reject(new Error('no command here uses this'));
/** For commands that need worlds in process alone. */
export const commandContext: CommandContext = {
  readYaml: readYamlBody,
  createWorlds: async (onBug) => createWorlds(onBug),
  startApiserver: unused,
  openTraces: unused,
  admissionPlugins: unused,
  runningPlugins: unused,
  startOwnServer: unused,
  runCommand: unused,
};
