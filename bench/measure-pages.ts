import type { Target } from "./run-load.ts";

export interface PageTime {
  readonly name: string;
  readonly p50Ms: number;
}

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly next_cursor: string | null };
}

const LIST = "/api/storefront/point_allotments";
const READS = 15;

/** Measures the first and a deep page of the store's list, by number and by cursor, one read after the other. */
export async function measurePages(target: Target, allotments: number): Promise<PageTime[]> {
  const deep = Math.max(2, Math.floor((allotments * 0.9) / 250));
  const { meta } = await read(target, `${LIST}?page=${deep}`);
  const times = [
    { name: "page 1 of the store's list", path: `${LIST}?page=1` },
    { name: `page ${deep}, by number`, path: `${LIST}?page=${deep}` },
    { name: `page ${deep + 1}, by cursor`, path: `${LIST}?cursor=${meta.next_cursor ?? ""}` },
  ];
  const result: PageTime[] = [];
  for (const { name, path } of times) result.push({ name, p50Ms: await medianMs(target, path) });
  return result;
}

async function medianMs(target: Target, path: string): Promise<number> {
  const durationsMs: number[] = [];
  for (let i = 0; i < READS; i++) {
    const startMs = performance.now();
    const page = await read(target, path);
    durationsMs.push(performance.now() - startMs);
    if (page.data.length === 0) throw new Error(`${path} is empty`);
  }
  return durationsMs.sort((a, b) => a - b)[Math.floor(READS / 2)] ?? 0;
}

async function read(target: Target, path: string): Promise<Page> {
  const response = await fetch(target.url + path, { headers: { authorization: target.authorization } });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Page; // cast: the shape of interface.md 4.3, which the tests check
}
