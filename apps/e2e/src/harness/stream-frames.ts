/** The JSON of each frame of a finished event stream; `[DONE]` and comments left out. */
export function framesOf(text: string): Record<string, unknown>[] {
  return text.split('\n\n').flatMap((frame) => {
    const data = /^data: (\{.*\})$/m.exec(frame)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Record<string, unknown>];
  });
}

/** Whether the stream ended as its protocol says: a cut one never does. */
export const endedWell = (text: string): boolean =>
  text.endsWith('data: [DONE]\n\n') || /event: message_stop\ndata: .+\n\n$/.test(text);
