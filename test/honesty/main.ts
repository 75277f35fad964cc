// npm run honesty [-- --help]: plays random chains in process and checks every explanation of kadmit against the real events.
// Exit code 1 when a statement is false.
import { parseArgs } from 'node:util';
import { renderExplanation } from '../../src/explain/render/explain.ts';
import { findFalseStatements } from './check-explanations.ts';
import { type ChainResult, runGeneratedChain } from './generated-chain.ts';

const usage = [
  'usage: npm run honesty -- [--seed N] [--chains N] [--first N]',
  '',
  '  --seed N    the same seed, the same chains (1)',
  '  --chains N  how many (10000)',
  '  --first N   begin with this one; with --chains 1 it is shown with its explanations (0)',
].join('\n');

const maxWrongChains = 20;

async function main(args: readonly string[]): Promise<boolean> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const options = { seed: text('1'), chains: text('10000'), first: text('0'), help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const [seed, chains, first] = [values.seed, values.chains, values.first].map(Number);
  if (seed === undefined || chains === undefined || first === undefined) return false;
  let [wrong, requests] = [0, 0];
  for (let number = first; number < first + chains && wrong < maxWrongChains; number += 1) {
    const explored = await runGeneratedChain(seed, number);
    requests += explored.played.length;
    const problems = findFalseStatements(explored.chain, explored.played);
    if (problems.length > 0) wrong += 1;
    for (const problem of problems) console.log(`--seed ${seed} --first ${number}: ${problem}`);
    if (chains === 1) show(explored);
  }
  console.log(`seed ${seed}: ${requests} requests, ${wrong} chains of which something is said that is not so`);
  return wrong === 0;
}

function show({ chain, played }: ChainResult): void {
  for (const { configuration, name, behaviour, entry } of chain.webhooks) {
    console.log(`${name} (${configuration}) ${behaviour.name}: ${JSON.stringify(entry)}`);
  }
  for (const { name, bindings, spec } of chain.policies)
    console.log(`${name} ${bindings.join()}: ${JSON.stringify(spec)}`);
  for (const { request, calls, trace } of played) {
    console.log(`\n${JSON.stringify(request)}\n${renderExplanation(trace, { all: true })}`);
    for (const { webhook, answer } of calls) console.log(`${webhook} answered ${JSON.stringify(answer)}`);
  }
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
