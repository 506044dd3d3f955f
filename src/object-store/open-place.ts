import { OBJECT_PLACE_RULE, type ObjectStoreAccess, objectPlaceText, parseObjectPlace } from "./object-place.ts";
import { ObjectStoreError } from "./object-store-error.ts";
import { type ObjectStore, openObjectStore } from "./open-object-store.ts";

/**
 * Opens a place of the form `s3://bucket/prefix`.
 * @throws ObjectStoreError for another form, or without credentials
 */
export function openPlace(text: string, access: ObjectStoreAccess | null): ObjectStore {
  const place = parseObjectPlace(text);
  if (place === null) throw new ObjectStoreError(`"${text}" is no place in a bucket: write ${OBJECT_PLACE_RULE}.`);
  if (access === null)
    throw new ObjectStoreError(
      `${objectPlaceText(place)} is in a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL.`,
    );
  return openObjectStore(place, access);
}
