import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  FaultPhase,
  FaultsAnswer,
  ImportAnswer,
  ImportDetail,
  ImportRow,
  ImportsAnswer,
  SampleAnswer,
} from "../../../src/admin/csv/schema.ts";
import { apiGet, apiQuery, apiSend } from "../../api/client.ts";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useLanguage } from "../../words/language.tsx";

const KEY = ["imports"] as const;
/** How often the progress of work is read. */
const LOOK_MS = 1_000;
/** How often it is asked whether a second person has decided. */
const DECISION_MS = 5_000;

/** Whether the service is working on it. */
export function isWorking({ state }: Pick<ImportRow, "state">): boolean {
  return state === "checking" || state === "importing" || state === "undoing";
}

export const NOTHING_ASKED = { q: "", after: "" };
type Asked = Readonly<typeof NOTHING_ASKED>;

export const importsQuery = (asked: Asked) => ({
  queryKey: [...KEY, "list", asked],
  queryFn: apiQuery<ImportsAnswer>("/imports", asked),
});

export function useImports(asked: Asked) {
  return useQuery({
    ...importsQuery(asked),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isWorking) === true ? LOOK_MS : false),
  });
}

export function useImport(uid: string) {
  return useQuery({
    queryKey: [...KEY, "one", uid],
    queryFn: async ({ signal }) => (await apiGet<ImportAnswer>(`/imports/${uid}`, {}, signal)).data,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      return isWorking(data) ? LOOK_MS : data.waiting !== null ? DECISION_MS : false;
    },
  });
}

export function useSample(uid: string, encoding: string, separator: string) {
  return useQuery({
    queryKey: [...KEY, "sample", uid, encoding, separator],
    queryFn: async ({ signal }) =>
      (await apiGet<SampleAnswer>(`/imports/${uid}/sample`, { encoding, separator }, signal)).data,
    placeholderData: keepPreviousData,
  });
}

/** `count`: the number of faults, so that a list is read again when it changes. */
export function useFaults(uid: string, phase: FaultPhase, count: number, after: string) {
  const { language } = useLanguage();
  return useQuery({
    queryKey: [...KEY, "faults", uid, phase, count, after, language],
    queryFn: ({ signal }) => apiGet<FaultsAnswer>(`/imports/${uid}/faults`, { phase, after, language }, signal),
    placeholderData: keepPreviousData,
  });
}

export type ImportVerb = "check" | "start" | "undo" | "give_up";

/** Sends one of an import's verbs; the response is the import's new state. */
export function useImportVerb(uid: string, verb: ImportVerb, onDone: (file: ImportDetail) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => apiSend<ImportAnswer>("POST", `/imports/${uid}/${verb}`, body),
    onSuccess: async ({ data }) => {
      client.setQueryData<ImportDetail>([...KEY, "one", uid], data);
      onDone(data);
      await client.invalidateQueries({ queryKey: [...KEY, "list"] });
      await client.invalidateQueries({ queryKey: ["approvals"] });
      await client.invalidateQueries({ queryKey: [...KEY, "faults", uid] });
    },
    onError: notifyFailed,
  });
}
