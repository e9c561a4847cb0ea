/** The JSON of each frame of an ended event stream, without `[DONE]` and comments. */
export function framesOf(text: string): Record<string, unknown>[] {
  return text.split('\n\n').flatMap((frame) => {
    const data = /^data: (\{.*\})$/m.exec(frame)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Record<string, unknown>];
  });
}

/** True where the stream has its protocol's end; a cut one has not. */
export const endedWell = (text: string): boolean =>
  text.endsWith('data: [DONE]\n\n') ||
  /event: (?:message_stop|response\.completed)\ndata: .+\n\n$/.test(text);
