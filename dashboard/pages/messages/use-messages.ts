import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  MessageInput,
  MessageRulesInput,
  PreviewRequest,
  ShownMessages,
  ShownMessageTest,
  ShownPreview,
} from "../../../src/admin/messages/schema.ts";
import type { MessageKind } from "../../../src/wire/messages.ts";
import { apiAsk, apiSend, dataQuery } from "../../api/client.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

const KEY = ["messages"];

export const MESSAGES_QUERY = { queryKey: KEY, queryFn: dataQuery<ShownMessages>("/messages") };

/** Settings of every message. */
export function useMessages() {
  return useQuery(MESSAGES_QUERY);
}

function useSave<Input>(
  send: (input: Input) => Promise<{ data: ShownMessages }>,
  onSaved: (shown: ShownMessages) => void,
) {
  const client = useQueryClient();
  const t = useWords(words);
  return useMutation({
    mutationFn: send,
    onSuccess: ({ data }) => {
      client.setQueryData(KEY, data);
      onSaved(data);
      notifyDone(t.saved);
    },
    onError: notifyUnlessField,
  });
}

/** `onSaved` is called with the revision that the next change is based on. */
export function useSaveMessage(kind: MessageKind, onSaved: (revision: string) => void) {
  return useSave(
    (input: MessageInput) => apiSend<{ data: ShownMessages }>("PUT", `/messages/${kind}`, input),
    ({ messages }) => {
      const saved = messages.find((message) => message.kind === kind);
      if (saved !== undefined) onSaved(saved.revision);
    },
  );
}

export function useSaveRules(onSaved: (revision: string) => void) {
  return useSave(
    (input: MessageRulesInput) => apiSend<{ data: ShownMessages }>("PUT", "/messages", input),
    ({ revision }) => onSaved(revision),
  );
}

export function usePreview(kind: MessageKind) {
  return useMutation({
    mutationFn: (input: PreviewRequest) => apiAsk<{ data: ShownPreview }>(`/messages/${kind}/preview`, input),
    onError: notifyUnlessField,
  });
}

/** Sends the text of the form to the signed-in person. */
export function useTestMessage(kind: MessageKind) {
  const t = useWords(words);
  return useMutation({
    mutationFn: (input: PreviewRequest) => apiSend<{ data: ShownMessageTest }>("POST", `/messages/${kind}/test`, input),
    onSuccess: ({ data: { to, state } }) =>
      notifyDone(state === "off" ? t.testOff : state === "full" ? t.testFull : t.tested(to)),
    onError: notifyUnlessField,
  });
}
