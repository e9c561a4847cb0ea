/** The functions of docs/reference/webhooks.md that verify a delivery; `verifiers.spec.ts` compares them with it. */
export const verifiers = [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(body: Buffer, header: string, secret: string, nowSeconds = Date.now() / 1000): boolean {
  const parts = header.split(',');
  const t = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!/^\\d+$/.test(t) || Math.abs(nowSeconds - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest();
  return parts.some((part) => {
    const given = Buffer.from(part.startsWith('v1=') ? part.slice(3) : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`,
  },
  {
    language: 'Python',
    code: `import hashlib
import hmac
import re
import time


def verify(body: bytes, header: str, secret: str, now: float | None = None) -> bool:
    parts = header.split(",")
    t = next((part[2:] for part in parts if part.startswith("t=")), "")
    if not re.fullmatch("[0-9]+", t) or abs((time.time() if now is None else now) - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    return any(hmac.compare_digest(part[3:].encode(), expected) for part in parts if part.startswith("v1="))
`,
  },
  {
    language: 'Go',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

func Verify(body []byte, header, secret string, now time.Time) bool {
	var t string
	var given [][]byte
	for _, part := range strings.Split(header, ",") {
		if strings.HasPrefix(part, "t=") {
			t = part[2:]
		} else if strings.HasPrefix(part, "v1=") {
			if mac, err := hex.DecodeString(part[3:]); err == nil {
				given = append(given, mac)
			}
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || now.Unix()-seconds > 300 || seconds-now.Unix() > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, candidate := range given {
		if hmac.Equal(candidate, expected) {
			return true
		}
	}
	return false
}
`,
  },
  {
    language: 'Java',
    code: `import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Webhook {
    static boolean verify(byte[] body, String header, String secret, long nowSeconds)
            throws GeneralSecurityException {
        String[] parts = header.split(",");
        String t = "";
        for (String part : parts) {
            if (part.startsWith("t=")) t = part.substring(2);
        }
        if (!t.matches("[0-9]{1,15}") || Math.abs(nowSeconds - Long.parseLong(t)) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
        String expected = String.format("v1=%064x", new BigInteger(1, mac.doFinal(body)));
        boolean isRight = false;
        for (String part : parts) {
            isRight |= MessageDigest.isEqual(
                    part.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
        }
        return isRight;
    }
}
`,
  },
] as const;

export type VerifierLanguage = (typeof verifiers)[number]['language'];
