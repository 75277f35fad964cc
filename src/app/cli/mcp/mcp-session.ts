import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { isPathWithin } from '../../../adapters/files/portable-files.ts';
import type { CommandContext, OwnServer } from '../command-context.ts';

export interface CommandResult {
  readonly exitCode: number;
  /** Standard output and standard error. */
  readonly out: string;
  readonly error: string;
  /** Of a command that prints one. */
  readonly document: unknown;
}

/** What the tools work with. */
export interface McpSession {
  readonly kubeconfig: string;
  /** Absent when the server is another process. */
  readonly ownServer?: OwnServer;
  readonly readYaml: CommandContext['readYaml'];
  /** Runs a command of kadmit: `['lint', 'config/']`. */
  readonly runCommand: (args: readonly string[]) => Promise<CommandResult>;
  /**
   * Writes files, by their relative paths, into a folder of their own, and removes it after the work. Rejects with ConfigError for
   * a path that leaves the folder.
   */
  readonly withFiles: <Result>(
    files: Readonly<Record<string, string>>,
    work: (folder: string) => Promise<Result>,
  ) => Promise<Result>;
  /** As `withFiles`; the folder stays until the session ends. */
  readonly keepFiles: (files: Readonly<Record<string, string>>) => string;
  readonly close: () => Promise<void>;
}

interface SessionOptions extends Pick<McpSession, 'kubeconfig' | 'readYaml' | 'runCommand'> {
  readonly ownServer?: OwnServer;
}

export function createMcpSession({ ownServer, ...options }: SessionOptions): McpSession {
  const root = mkdtempSync(join(tmpdir(), 'kadmit-mcp-'));
  const keepFiles: McpSession['keepFiles'] = (files) => {
    const folder = mkdtempSync(join(root, 'call-'));
    for (const [name, text] of Object.entries(files)) {
      const path = resolve(folder, name);
      if (!isPathWithin(path, folder) || path === folder)
        throw new ConfigError(`files: ${JSON.stringify(name)} must be a path below the folder, such as review.js`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return folder;
  };
  return {
    ...options,
    ...(ownServer === undefined ? {} : { ownServer }),
    keepFiles,
    withFiles: async (files, work) => {
      const folder = keepFiles(files);
      try {
        return await work(folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    close: async () => {
      rmSync(root, { recursive: true, force: true });
      await ownServer?.close();
    },
  };
}
