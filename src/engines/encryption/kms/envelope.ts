import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../apimachinery/clock.ts';
import { errorText } from '../../../apimachinery/error-text.ts';
import { aesGcm } from '../aes.ts';
import type { Opened, Transformer } from '../transformer.ts';
import { checkEncryptedObject, keyIdFault } from './check-object.ts';
import type { KmsClient } from './kms-client.ts';
import { decode, encode } from './wire.ts';
import type { Messages } from './wire.ts';

/** A provider of keys: encrypts and opens, and says how it is. */
export interface KmsProvider {
  readonly transformer: Transformer;
  /** Asks the plugin how it is and takes its newest key; what is wrong, if anything. */
  readonly probe: () => Promise<string | undefined>;
}

type EncryptedObject = Messages['EncryptedObject'];

/** What is written with: a seed of this process, which the plugin has encrypted. */
interface Writing {
  readonly seed: Buffer;
  readonly source: Omit<EncryptedObject, 'encryptedData'>;
  readonly expires: number;
}

const seedType = 1;
const infoSize = 32;
const seedSize = 32;
/** So long objects may be written after the plugin was last seen well. */
const writesLastMs = 3 * 60_000;
/** Seeds and keys that are remembered; there is one for each start of a server and each key of a plugin. */
const rememberedAtMost = 10_000;

/**
 * Envelope encryption: objects are encrypted with keys derived from a seed, the seed by a plugin.
 * Follows apiserver pkg/storage/value/encrypt/envelope/kmsv2/envelope.go and pkg/server/options/encryptionconfig/config.go.
 */
export function createKmsProvider(name: string, client: KmsClient, { now }: Pick<Clock, 'now'>): KmsProvider {
  const opened = new Map<string, Buffer>();
  let writing: Writing | undefined;
  const remember = (object: EncryptedObject, key: Buffer): void => {
    if (opened.size >= rememberedAtMost) opened.clear();
    opened.set(cacheKey(object), key);
  };
  const rotate = async (keyId: string): Promise<void> => {
    const expires = now() + writesLastMs;
    if (writing?.source.keyId === keyId) {
      writing = { ...writing, expires };
      return;
    }
    writing = await newWriting(client, keyId, expires);
    remember({ ...writing.source, encryptedData: Buffer.of(0) }, writing.seed);
  };
  return {
    transformer: {
      toStorage: (data, path) => {
        if (!writing) throw new Error('got unexpected nil transformer');
        if (now() > writing.expires) throw new Error(expired(writing, now()));
        const info = randomBytes(infoSize);
        const sealed = aesGcm(derivedKey(writing.seed, info)).toStorage(data, path);
        return encode('EncryptedObject', { ...writing.source, encryptedData: Buffer.concat([info, sealed]) });
      },
      fromStorage: (data, path) => {
        const object = readObject(data);
        const key = opened.get(cacheKey(object));
        if (!key) throw new Error('failed to decrypt DEK, error: the plugin was not asked');
        const { data: plain } = openWith(key, object, path);
        const isCurrent = object.keyId === writing?.source.keyId && object.dekSourceType === seedType;
        return { data: plain, stale: !isCurrent };
      },
      unlock: (values) => {
        const objects = values.map(readObject).filter((object) => !opened.has(cacheKey(object)));
        const unknown = new Map(objects.map((object) => [cacheKey(object), object]));
        if (unknown.size === 0) return undefined;
        const asked = [...unknown.values()].map(async (object) => remember(object, await decryptedKey(client, object)));
        return Promise.all(asked).then(() => undefined);
      },
    },
    probe: async () => {
      const faults = await faultsNow(client, rotate);
      const text = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
      return faults.length === 0 ? undefined : `kmsv2 Provider ${name} is not healthy, error: ${text}`;
    },
  };
}

async function decryptedKey(client: KmsClient, object: EncryptedObject): Promise<Buffer> {
  const { keyId, encryptedDekSource: ciphertext, annotations } = object;
  try {
    return (await client.decrypt({ ciphertext, keyId, annotations, uid: randomUUID() })).plaintext;
  } catch (error) {
    throw new Error(`failed to decrypt DEK, error: ${errorText(error)}`);
  }
}

/** A new seed that the plugin encrypted with this key. */
async function newWriting(client: KmsClient, keyId: string, expires: number): Promise<Writing> {
  const seed = randomBytes(seedSize);
  const uid = randomUUID();
  const made = await client.encrypt({ plaintext: seed, uid }).catch((error: unknown) => {
    throw new Error(`failed to encrypt DEK, error: ${errorText(error)}`);
  });
  const { ciphertext: encryptedDekSource, annotations } = made;
  const source = { keyId: made.keyId, encryptedDekSource, annotations, dekSourceType: seedType };
  checkEncryptedObject({ ...source, encryptedData: Buffer.of(0) });
  if (made.keyId !== keyId) {
    throw new Error(`failed to rotate DEK uid="${uid}": the key ID of Status is not that of Encrypt`);
  }
  return { seed, source, expires };
}

async function faultsNow(client: KmsClient, rotate: (keyId: string) => Promise<void>): Promise<readonly string[]> {
  const faults: string[] = [];
  try {
    const { healthz, version, keyId } = await client.status();
    if (healthz !== 'ok') faults.push(`got unexpected healthz status: ${healthz}`);
    if (version !== 'v2' && version !== 'v2beta1') faults.push(`expected KMSv2 API version v2, got ${version}`);
    const fault = keyIdFault(keyId);
    if (fault !== undefined) throw new Error(`got invalid KMSv2 KeyID hash ${JSON.stringify(hashOf(keyId))}: ${fault}`);
    await rotate(keyId);
  } catch (error) {
    faults.push(errorText(error));
  }
  return faults;
}

/** HKDF's expansion with SHA-256: one block is as long as the key. Follows apiserver pkg/storage/value/encrypt/aes/aes_extended_nonce.go. */
const derivedKey = (seed: Buffer, info: Buffer): Buffer =>
  createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest();

function openWith(key: Buffer, { dekSourceType, encryptedData }: EncryptedObject, path: string): Opened {
  if (dekSourceType !== seedType) return aesGcm(key).fromStorage(encryptedData, path);
  if (key.length < seedSize) throw new Error(`invalid seed length ${key.length} used for key generation`);
  if (encryptedData.length < infoSize) throw new Error('the stored data was shorter than the required size');
  const derived = derivedKey(key, encryptedData.subarray(0, infoSize));
  return aesGcm(derived).fromStorage(encryptedData.subarray(infoSize), path);
}

function readObject(data: Buffer): EncryptedObject {
  const object = decode('EncryptedObject', data);
  checkEncryptedObject(object);
  return object;
}

/** The same for all objects that one seed or key opens. */
const cacheKey = ({ dekSourceType, encryptedDekSource, keyId, annotations }: EncryptedObject): string =>
  JSON.stringify([
    dekSourceType,
    encryptedDekSource.toString('base64'),
    keyId,
    Object.entries(annotations)
      .map(([name, value]) => `${name}=${value.toString('base64')}`)
      .toSorted(byLetters),
  ]);

const byLetters = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const hashOf = (text: string): string =>
  text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;

const expired = ({ source, expires }: Writing, now: number): string =>
  `encryptedDEKSource with keyID hash "${hashOf(source.keyId)}" expired at ${moment(expires)} (current time is ${moment(now)})`;

const moment = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
