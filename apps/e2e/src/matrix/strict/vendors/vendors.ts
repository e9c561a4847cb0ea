import { AnthropicRules } from '../anthropic-rules';
import { OpenAiRules } from '../openai-rules';
import { type VendorRules } from '../vendor-rules';
import { deepseek } from './deepseek';
import { google } from './google';
import { groq } from './groq';
import { mistral } from './mistral';
import { moonshot } from './moonshot';
import { xai } from './xai';

/** Rules before an upstream that plays a provider of the shipped catalog, by the provider's name. */
export const vendors = {
  openai: new OpenAiRules(),
  anthropic: new AnthropicRules(),
  google,
  mistral,
  groq,
  deepseek,
  moonshotai: moonshot,
  xai,
} as const satisfies Readonly<Record<string, VendorRules>>;

export type VendorName = keyof typeof vendors;

/** A model of the catalog, whose values of parameters the vendor's rules are about. OpenAI and Anthropic are tried with all values. */
export const modelOfVendor: Readonly<Record<Exclude<VendorName, 'openai' | 'anthropic'>, string>> = {
  google: 'google/gemini-2.5-flash',
  mistral: 'mistral/mistral-medium-3.5',
  groq: 'openai/gpt-oss-120b',
  deepseek: 'deepseek/deepseek-v4-pro',
  moonshotai: 'moonshotai/kimi-k2.6',
  xai: 'xai/grok-4.6',
};

export const compatibleVendors = Object.keys(modelOfVendor) as readonly (keyof typeof modelOfVendor)[];
