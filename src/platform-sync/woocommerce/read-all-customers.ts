import { fieldOf, type Json } from "../../platforms/json-source.ts";
import { wooIdOf } from "../../platforms/woocommerce/rest/answer.ts";
import {
  customersOffset,
  customersPosition,
  customersRequest,
  isListOver,
  type WooList,
} from "../../platforms/woocommerce/rest/lists.ts";
import type { ChangedPage, HistoryStart, PortDeps } from "../platform-port.ts";
import type { WooStore } from "./call-store.ts";
import { fetchList } from "./fetch-list.ts";

/**
 * Reads all customers, the first registered first, from where an earlier run ended. Each request begins at the last customer that was read. If
 * that one is no longer there, customers before it were deleted and others took their places: then the last page is read again, once for each place.
 */
export async function* readAllCustomers(
  deps: PortDeps,
  store: WooStore,
  { position, signal }: Pick<HistoryStart, "position"> & { readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  let read = customersOffset(position);
  let last: string | null = null;
  let readAgainFrom = -1;
  while (!signal.aborted) {
    const start: number = last === null ? read : read - 1;
    const list: WooList = await fetchList(deps, store, customersRequest(start, "asc"), signal);
    const isShifted = last !== null && idAt(list, 0) !== last;
    if (isShifted && read > readAgainFrom) {
      readAgainFrom = read;
      read = customersOffset(customersPosition(read));
      last = null;
      continue;
    }
    const resources: readonly Json[] = last !== null && !isShifted ? list.resources.slice(1) : list.resources;
    read = start + list.resources.length;
    last = resources.length === 0 ? null : idAt(list, -1);
    yield { resources, changedAt: null, position: customersPosition(read) };
    if (isListOver(list, read)) return;
  }
}

function idAt({ resources }: WooList, index: number): string | null {
  const customer = resources.at(index);
  return customer === undefined ? null : wooIdOf(fieldOf(customer, "id"));
}
