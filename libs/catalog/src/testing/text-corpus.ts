import { createHash } from 'node:crypto';

/** Typical prompt text, with its token counts by other tokenizers. */
interface CorpusText {
  readonly name: string;
  readonly text: string;
  /** Counted by @anthropic-ai/tokenizer 0.0.4 and llama3-tokenizer-js 1.2.0. */
  readonly claude2: number;
  readonly llama3: number;
}

const bytes = Buffer.concat(
  Array.from({ length: 60 }, (_, at) => createHash('sha256').update(String(at)).digest()),
);

const records = Array.from({ length: 20 }, (_, at) => ({
  id: `req_${String(at)}`,
  created_at: `2026-11-${String(at + 10)}T08:15:30.123Z`,
  status: at % 3 === 0 ? 'failed' : 'succeeded',
  usage: { input_tokens: 120 * at, output_tokens: 45 + at },
  tags: ['batch', 'nightly'],
  cost: null,
}));

export const corpus: readonly CorpusText[] = [
  {
    name: 'English',
    text: 'The harbour had been quiet since the last ferry left. Anna counted the lights on the far shore, as she did every evening, and wrote the number into a small blue notebook that nobody had ever asked to see. "Forty-one," she said to the dog, which did not answer. In the morning a letter arrived from the port authority, explaining in three careful paragraphs why the lighthouse would be switched off for repairs and what sailors were expected to do instead.',
    claude2: 95,
    llama3: 94,
  },
  {
    name: 'German',
    text: 'Der Hafen war still, seit die letzte Fähre abgelegt hatte. Anna zählte wie jeden Abend die Lichter am gegenüberliegenden Ufer und schrieb die Zahl in ein kleines blaues Notizbuch, nach dem noch niemand gefragt hatte. »Einundvierzig«, sagte sie zu dem Hund, der nicht antwortete. Am nächsten Morgen kam ein Brief der Hafenverwaltung, der in drei sorgfältigen Absätzen erklärte, weshalb der Leuchtturm wegen Instandsetzungsarbeiten abgeschaltet werde und was die Schifffahrtsgesellschaften stattdessen zu beachten hätten.',
    claude2: 170,
    llama3: 151,
  },
  {
    name: 'Chinese',
    text: '最后一班渡轮离开以后，港口就安静了下来。安娜像每天晚上一样数着对岸的灯火，把数字写进一本从来没有人问起的蓝色小本子里。“四十一盏。”她对狗说，狗没有回答。第二天早上，港务局寄来一封信，用三段谨慎的文字解释灯塔为什么要停灯检修，以及在此期间船员们应该怎么做。',
    claude2: 146,
    llama3: 107,
  },
  {
    name: 'Russian',
    text: 'Гавань затихла, как только ушёл последний паром. Анна, как и каждый вечер, считала огни на другом берегу и записывала число в маленькую синюю тетрадь, о которой никто никогда не спрашивал.',
    claude2: 97,
    llama3: 61,
  },
  {
    name: 'Korean',
    text: '마지막 배가 떠난 뒤로 항구는 조용했다. 안나는 매일 저녁처럼 건너편 기슭의 불빛을 세어 아무도 보여 달라고 한 적 없는 작은 파란 공책에 그 수를 적었다.',
    claude2: 100,
    llama3: 54,
  },
  {
    name: 'Hindi',
    text: 'आख़िरी नौका के जाने के बाद बंदरगाह शांत हो गया था। अन्ना हर शाम की तरह दूसरे किनारे की बत्तियाँ गिनती और संख्या एक छोटी नीली कॉपी में लिख देती थी।',
    claude2: 156,
    llama3: 80,
  },
  {
    name: 'Thai',
    text: 'ท่าเรือเงียบสงบตั้งแต่เรือข้ามฟากเที่ยวสุดท้ายออกไป แอนนานับแสงไฟบนฝั่งตรงข้ามเหมือนทุกเย็น แล้วจดจำนวนลงในสมุดเล่มเล็กสีน้ำเงิน',
    claude2: 232,
    llama3: 62,
  },
  {
    name: 'code',
    text: `export async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw new GatewayError('invalidRequest', 'The body ended before it was whole.', { cause });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

def moving_average(values, width):
    total = sum(values[:width])
    yield total / width
    for at in range(width, len(values)):
        total += values[at] - values[at - width]
        yield total / width

SELECT p.name, count(*) AS calls, sum(r.charge_nanos) AS nanos
FROM request_records r JOIN projects p ON p.id = r.project_id
WHERE r.created_at >= now() - interval '7 days' GROUP BY p.name ORDER BY nanos DESC;
`,
    claude2: 230,
    llama3: 205,
  },
  { name: 'JSON', text: JSON.stringify(records), claude2: 1109, llama3: 1066 },
  { name: 'base64', text: bytes.toString('base64'), claude2: 1776, llama3: 1810 },
  { name: 'hexadecimal', text: bytes.toString('hex'), claude2: 2214, llama3: 2155 },
  { name: 'emoji', text: '😀🎉🚀👍🏽🧑‍💻 '.repeat(20), claude2: 400, llama3: 382 },
];
