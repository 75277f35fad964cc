/** In bytes: far more than a page of objects. */
const longestMessage = 512 * 1024 * 1024;

/** Before each message stand whether it is compressed, and its length. Follows gRPC's PROTOCOL-HTTP2. */
const headSize = 5;

/** A message as it is sent. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headSize + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headSize);
  return frame;
}

/** Hears bytes as they come, and tells each message when it is whole. Throws for what is compressed, which nobody asked for, and for one of more than 512 MiB. */
export function createFrameReader(tell: (message: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let have = 0;
  /** How much the next step needs: the head, or the message with it. */
  let need = headSize;
  return (chunk) => {
    parts.push(chunk);
    have += chunk.length;
    while (have >= need) {
      const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      if (bytes[0] !== 0) throw new Error('a compressed message, which nobody asked for');
      const end = headSize + bytes.readUInt32BE(1);
      if (end > longestMessage) throw new Error(`a message of ${end - headSize} bytes, which is too long`);
      const isWhole = have >= end;
      if (isWhole) tell(bytes.subarray(headSize, end));
      parts = [isWhole ? bytes.subarray(end) : bytes];
      have = parts[0]?.length ?? 0;
      need = isWhole ? headSize : end;
    }
  };
}
