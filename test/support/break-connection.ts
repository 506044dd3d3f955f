import { connect } from "node:net";

/** Sends these bytes and resets the connection. */
export async function breakConnection(port: number, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(Buffer.from(text, "latin1"), () => socket.resetAndDestroy());
    });
    socket.on("error", reject);
    socket.on("close", () => resolve());
  });
}
