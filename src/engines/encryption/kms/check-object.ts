import type { Messages } from './wire.ts';

const longestKeyId = 1024;
const longestSource = 1024;
const largestAnnotations = 32 * 1024;

/** Throws what is wrong. Follows apiserver pkg/storage/value/encrypt/envelope/kmsv2/envelope.go ValidateEncryptedObject. */
export function checkEncryptedObject(object: Messages['EncryptedObject']): void {
  const { dekSourceType, encryptedData, encryptedDekSource: source, keyId, annotations } = object;
  if (dekSourceType !== 0 && dekSourceType !== 1) throw new Error(`unknown encryptedDEKSourceType: ${dekSourceType}`);
  if (encryptedData.length === 0) throw new Error('encrypted data is empty');
  if (source.length === 0) throw new Error('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (source.length > longestSource) {
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${source.length} bytes, which exceeds the max size of ${longestSource}`,
    );
  }
  const fault = keyIdFault(keyId);
  if (fault !== undefined) throw new Error(`failed to validate key id: ${fault}`);
  const size = Object.entries(annotations).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > largestAnnotations) {
    throw new Error(
      `failed to validate annotations: total size of annotations is ${size}, which exceeds the max size of ${largestAnnotations}`,
    );
  }
}

/** What is wrong with the name of a key, if anything. */
export function keyIdFault(keyId: string): string | undefined {
  if (keyId === '') return 'keyID is empty';
  const size = Buffer.byteLength(keyId);
  return size > longestKeyId ? `keyID is ${size} bytes, which exceeds the max size of ${longestKeyId}` : undefined;
}
