import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pngChunk } from "../../../test/support/png.ts";
import { cleanPng } from "./clean-png.ts";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

function header(width: number, height: number, interlace = 0): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([8, 6, 0, 0, interlace], 8);
  return pngChunk("IHDR", bytes);
}

const pixels = (width: number, height: number) =>
  pngChunk("IDAT", deflateSync(Buffer.alloc((width * 4 + 1) * height, 7)));
const end = pngChunk("IEND", Buffer.alloc(0));
const PNG = Buffer.concat([SIGNATURE, header(3, 2), pixels(3, 2), end]);

describe("a PNG", () => {
  test("that is a picture alone stays as it is", () => {
    expect(cleanPng(PNG)).toEqual({ png: PNG });
  });

  test("loses texts, other chunks and what follows its end", () => {
    const text = pngChunk("tEXt", Buffer.from("Author\0Hanako"));
    const moving = pngChunk("acTL", Buffer.alloc(8));
    const file = Buffer.concat([SIGNATURE, header(3, 2), text, moving, pixels(3, 2), end, Buffer.from("<script>")]);
    expect(cleanPng(file)).toEqual({ png: PNG });
  });

  test.each([
    ["is something else", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["ends early", PNG.subarray(0, -4)],
    ["has no pixels", Buffer.concat([SIGNATURE, header(3, 2), end])],
    ["has pixels of another size", Buffer.concat([SIGNATURE, header(3, 3), pixels(3, 2), end])],
    ["unpacks to more than its header says", Buffer.concat([SIGNATURE, header(1, 1), pixels(900, 900), end])],
    ["is interlaced", Buffer.concat([SIGNATURE, header(3, 2, 1), pixels(3, 2), end])],
  ])("that %s is refused", (_, file) => {
    expect(cleanPng(file)).toEqual({ detail: "expected a PNG picture" });
  });

  test("that is too large is refused", () => {
    const file = Buffer.concat([SIGNATURE, header(1_025, 1), pixels(1_025, 1), end]);
    expect(cleanPng(file)).toMatchObject({ detail: expect.stringContaining("1024 by 1024") });
  });

  test("with a byte changed is refused, or is the same picture", () => {
    fc.assert(
      fc.property(fc.nat(PNG.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const file = Buffer.from(PNG);
        file[at] = (file[at] ?? 0) ^ change;
        expect(cleanPng(file)).toHaveProperty("detail");
      }),
    );
  });
});
