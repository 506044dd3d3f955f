/** What is used of a FileHandle. */
interface ReadableFile {
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/** Reads `size` bytes of a file; fewer only where it ends. One read of a network file system may give less than was asked for. */
export async function readBytesAt(file: ReadableFile, position: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(bytes, at, size - at, position + at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
