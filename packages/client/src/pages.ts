/** A page of a list. */
export interface Page<T> {
  readonly data: T[];
  readonly meta: {
    readonly page: number;
    readonly per_page: number;
    readonly has_more: boolean;
    readonly next_cursor?: string | null;
  };
}

/** A list that is read page by page while it is iterated: `for await (const item of list)`. */
export class PagedList<T> implements AsyncIterable<T> {
  readonly #read: (position: { cursor?: string; page?: number }) => Promise<Page<T>>;

  /** @param read reads a page by cursor or number; a list without cursors only uses numbers */
  constructor(read: (position: { cursor?: string; page?: number }) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** Iterates the pages; store `meta.next_cursor` of the last one to continue from there later. */
  async *pages(): AsyncGenerator<Page<T>, void> {
    let position: { cursor?: string; page?: number } = {};
    for (;;) {
      const page = await this.#read(position);
      yield page;
      if (!page.meta.has_more || page.data.length === 0) return;
      const cursor = page.meta.next_cursor;
      position = typeof cursor === "string" ? { cursor } : { page: page.meta.page + 1 };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.data;
  }
}
