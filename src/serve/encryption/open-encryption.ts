import { fieldErrorText } from '../../apimachinery/field-error.ts';
import { errorText } from '../../apimachinery/error-text.ts';
import type { Clock } from '../../apimachinery/clock.ts';
import { attempt } from '../../config/attempt.ts';
import { readBoundedFile, readRegularFile } from '../../files/bounded-file.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { commandFailed } from '../../config/start-failure.ts';
import { defaultOptions } from '../../config/upstream/options.ts';
import { aggregated } from '../../config/upstream/validate-options.ts';
import type { KmsProvider } from '../../engines/encryption/kms/envelope.ts';
import { sealingBy, unsealed } from '../../engines/encryption/sealing.ts';
import type { Sealing, Transformers } from '../../engines/encryption/sealing.ts';
import type { Closing } from '../closing.ts';
import { watchFile } from '../manifest-folder.ts';
import { readEncryptionConfiguration } from './encryption-configuration.ts';
import type { EncryptionConfiguration, KmsConfiguration } from './encryption-configuration.ts';
import { transformersOf } from './transformers.ts';
import type { OpenKms } from './transformers.ts';
import { encryptionErrors } from './validate-encryption.ts';

interface Ports {
  readonly clock: Clock;
  readonly logError: (line: string) => void;
}

/**
 * How objects are encrypted where they are stored. With automatic reload the file is read again when it changes; what cannot be
 * used leaves what was read before in force. Throws StartFailure.
 * Follows apiserver pkg/server/options/etcd.go maybeApplyResourceTransformers.
 */
export async function openEncryption(config: ServerConfig, ports: Ports, closing: Closing): Promise<Sealing> {
  const { text, truth } = config.upstream ?? defaultOptions;
  const path = text['encryption-provider-config'];
  if (path === '') return unsealed;
  if (config.dataDir === '' && config.etcdServers.length === 0) {
    ports.logError('--encryption-provider-config: objects are in memory alone; give --data-dir or --etcd-servers');
  }
  const reload = truth['encryption-provider-config-automatic-reload'];
  let last = fileText(path);
  let current = await load(last, path, { ...ports, reload });
  closing.add(async () => current.close());
  if (reload) {
    const again = async (): Promise<void> => {
      const file = attempt(() => readRegularFile(path));
      if (!file.ok || file.value === last) return;
      last = file.value;
      try {
        const next = await load(file.value, path, { ...ports, reload });
        current.close();
        current = next;
      } catch (error) {
        ports.logError(`error processing encryption config file ${path}: ${errorText(error)}`);
      }
    };
    closing.add(watchFile(path, () => void again()).end);
  }
  return sealingBy(() => current.transformers);
}

/** Throws StartFailure. */
function fileText(path: string): string {
  const file = attempt(() => readBoundedFile(path));
  if (file.ok) return file.value;
  const call = file.error === 'is a directory' ? 'read' : 'open';
  throw failedParsing(
    `error while loading file: error reading encryption provider configuration file ${JSON.stringify(path)}: ${call} ${path}: ${file.error}`,
  );
}

const failedParsing = (error: string): Error => commandFailed(`error while parsing file: ${error}`);

interface Loaded {
  readonly transformers: Transformers;
  readonly close: () => void;
}

async function load(text: string, path: string, ports: Ports & { readonly reload: boolean }): Promise<Loaded> {
  const configuration = parse(text, path, ports.reload);
  const kms = await openProviders(configuration, ports);
  const reading = await transformersOf(configuration, kms.of);
  if (reading.ok) return { transformers: reading.value, close: kms.close };
  kms.close();
  throw commandFailed(`error while building transformers: ${reading.error}`);
}

/** Throws StartFailure. */
function parse(text: string, path: string, reload: boolean): EncryptionConfiguration {
  if (text === '') {
    throw failedParsing(
      `error while loading file: encryption provider configuration file ${JSON.stringify(path)} is empty`,
    );
  }
  const reading = readEncryptionConfiguration(text, path);
  if (!reading.ok) throw failedParsing(reading.error);
  const problem = aggregated(encryptionErrors(reading.value, reload).map(fieldErrorText));
  if (problem !== undefined) throw failedParsing(problem);
  return reading.value;
}

const probedAgainMs = 60_000;
const probedSoonerMs = 10_000;

/** Connects to every KMS plugin, asks each once, and goes on asking. */
async function openProviders(
  configuration: EncryptionConfiguration,
  { clock, logError }: Ports,
): Promise<{ readonly of: OpenKms; readonly close: () => void }> {
  const all = configuration.flatMap(({ providers }) => providers.flatMap(({ kms }) => (kms ? [kms] : [])));
  const ended = new AbortController();
  const providers = new Map<KmsConfiguration, KmsProvider>();
  if (all.length === 0) return { of: unknownProvider, close: () => {} };
  const [{ connectKms }, { createKmsProvider }] = await Promise.all([
    import('../../engines/encryption/kms/kms-client.ts'),
    import('../../engines/encryption/kms/envelope.ts'),
  ]);
  for (const kms of all.filter(({ apiVersion }) => apiVersion === 'v2')) {
    const client = connectKms(kms.endpoint, kms.timeout);
    ended.signal.addEventListener('abort', client.close);
    const provider = createKmsProvider(kms.name, client, clock);
    providers.set(kms, provider);
    const probe = async (): Promise<number> => {
      const fault = await provider.probe();
      if (fault !== undefined && !ended.signal.aborted) logError(`--encryption-provider-config: ${fault}`);
      return fault === undefined ? probedAgainMs : probedSoonerMs;
    };
    // oxlint-disable-next-line no-await-in-loop -- each may take its time-out, once
    let pause = await probe();
    void (async () => {
      for (;;) {
        await clock.sleep(pause, ended.signal);
        if (ended.signal.aborted) return;
        pause = await probe();
      }
    })();
  }
  return {
    of: (kms) => (providers.get(kms) ?? unknownProvider(kms)).transformer,
    close: () => ended.abort(),
  };
}

function unknownProvider({ name }: KmsConfiguration): never {
  throw new ConfigError(`the KMS plugin ${name} was not opened`);
}
