#!/usr/bin/env node
import * as nodeModule from 'node:module';
import type { CommandContext } from './app/cli/command-context.ts';

// Node 22 and later keep compiled code between starts; the types are those of Node 20.
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') {
  nodeModule.enableCompileCache();
}
const { withSourcePositions } = await import('./adapters/files/source-positions.ts');
process.on('uncaughtException', (error) => {
  console.error(withSourcePositions(error.stack ?? String(error)));
  process.exit(1);
});
const { run } = await import('./app/cli/run.ts');

const io = {
  out: (text: string): void => console.log(text),
  error: (text: string): void => console.error(withSourcePositions(text)),
};

const context: CommandContext = {
  runCommand: (args, to) => run(args, to, context),
  startApiserver: async (config) => (await import('./app/server/start.ts')).startApiserver(config),
  openTraces: async (traces, port) => (await import('./adapters/http/page/page-server.ts')).openTraces(traces, port),
  startOwnServer: async (options) => (await import('./app/library/own-server.ts')).startOwnServer(options),
  createWorlds: async (onBug) => (await import('./app/in-process/worlds.ts')).createWorlds(onBug),
  testThread: new URL('./test-thread.js', import.meta.url), // Beside this file in the bundle.
  readYaml: async (text) => (await import('./adapters/http/body-formats.ts')).readYamlBody(text),
  runningPlugins: async (config) => (await import('./app/server/admission-plugins.ts')).runningPlugins(config),
  admissionPlugins: async (minor) =>
    (await import('./apiserver/admission/plugins/plugin-order.ts')).admissionPluginsOf(minor),
};
void run(process.argv.slice(2), io, context).then((code) => {
  process.exitCode = code;
  // Whatever a command has left open must not keep the process.
  setTimeout(() => process.exit(), 100).unref();
});
