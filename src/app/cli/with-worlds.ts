import { ConfigError } from '../../adapters/config/config-error.ts';
import { errorText } from '../../machinery/errors.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import type { CommandContext } from './command.ts';
import type { Io } from './terminal/io.ts';
import { createLiveLine } from './terminal/terminal.ts';

/** Rejects with ConfigError for an error of the work. */
export async function withWorlds<Result>(
  command: string,
  { io, createWorlds }: { readonly io: Io } & Pick<CommandContext, 'createWorlds'>,
  work: (worlds: Worlds, onProgress: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const line = createLiveLine(process.stderr);
  const worlds = await createWorlds((error) =>
    io.error(`kadmit ${command}: this is a bug in kadmit: ${String(error)}`),
  );
  try {
    return await work(worlds, line.show);
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`it cannot be run: ${errorText(error)}`);
  } finally {
    line.clear();
    await worlds.close();
  }
}
