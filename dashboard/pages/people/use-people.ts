import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { PersonRow } from "../../../src/admin/people/schema.ts";
import { apiSend, dataQuery } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";

const KEY = ["people"] as const;

export const PEOPLE_QUERY = { queryKey: KEY, queryFn: dataQuery<PersonRow[]>("/people") };

/** All people who may sign in. */
export function usePeople() {
  return useQuery(PEOPLE_QUERY);
}

export interface PeopleSend {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** The settings that have a person's address. */
export function mailingsOf(person: PersonRow): PersonRow["mailed_by"] {
  return person.mailed_by ?? []; // a node of an older version does not send them
}

/** Changes a person, reads all people again, then calls `onDone`. The fault of a field is shown beside it. */
export function usePeopleChange<T>(onDone: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: PeopleSend) => apiSend<T>(method, path, body ?? {}),
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: KEY });
      await client.invalidateQueries({ queryKey: ["access-notices"] });
      await client.invalidateQueries({ queryKey: SESSION_KEY });
    },
    onError: notifyUnlessField,
  });
}
