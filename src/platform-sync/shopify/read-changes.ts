import { changedUrl, type ListedResource } from "../../platforms/shopify/admin/changed-resources.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { ChangedPage, PortDeps } from "../platform-port.ts";
import { fetchChangedPage } from "./fetch-changed-page.ts";

/** Reads what changed at Shopify since a moment, page by page, oldest change first. Throws where it fails. */
export async function* readChanges(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  order: { readonly resource: ListedResource; readonly since: Temporal.Instant; readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  const { resource, signal } = order;
  let url: string | null = changedUrl(admin.url, resource, order.since);
  while (url !== null && !signal.aborted) {
    const page: Awaited<ReturnType<typeof fetchChangedPage>> = await fetchChangedPage(deps, admin, {
      url,
      resource,
      signal,
    });
    yield page;
    url = page.nextUrl;
  }
}
