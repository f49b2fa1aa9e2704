//! A profile that asks a language model.
//!
//! Promises an address that is safe to send to, bounds on everything, and the place of a key instead of a key. Knows nothing of
//! what is asked.

use crate::config::outgoing::{self, KeySource};
use crate::config::problem::Report;
use crate::config::quantity::render_duration;
use crate::config::section::Section;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;
use url::Url;

/// The keys of a profile of kind `model`.
const KEYS: [&str; 14] = [
    "kind",
    "provider",
    "model",
    "base_url",
    "key_env",
    "key_file",
    "max_output_tokens",
    "context_tokens",
    "max_concurrent",
    "retries",
    "prompt_price",
    "completion_price",
    "circuit_failures",
    "circuit_pause",
];

/// The highest price per million tokens that is taken seriously.
const MAX_PRICE: f64 = 1_000_000.0;
/// Prices are kept in millionths.
const MICROS: f64 = 1_000_000.0;

/// Whose interface a model is asked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelProvider {
    /// Chat completions of OpenAI, and everything that speaks the same.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
    /// Ollama.
    Ollama,
}

impl ModelProvider {
    /// Every provider.
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Ollama];

    /// The word in a configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }

    /// The provider of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == word)
    }

    fn default_address(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The end of an address that is added to it in any case.
    fn surplus(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["/chat/completions"],
            Self::Anthropic => &["/v1", "/v1/messages"],
            Self::Ollama => &["/api", "/api/chat", "/v1"],
        }
    }

    /// Whether the provider's own address serves nobody without a key.
    fn needs_key(self) -> bool {
        match self {
            Self::OpenAi | Self::Anthropic => true,
            Self::Ollama => false,
        }
    }
}

/// What a million tokens cost, in millionths of a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenPrices {
    /// A million tokens of questions.
    pub prompt_micros: u64,
    /// A million tokens of answers.
    pub completion_micros: u64,
}

/// A profile that asks a language model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProfile {
    /// Whose interface it is asked through.
    pub provider: ModelProvider,
    /// The model, as the provider names it.
    pub model: String,
    /// The base address: HTTPS, or this machine.
    pub base_url: Url,
    /// Where the key is; `None` for servers that ask for none.
    pub key: Option<KeySource>,
    /// The longest answer, in tokens; a model that thinks needs room for that too.
    pub max_output_tokens: u32,
    /// How much the model reads at once, in tokens. Ollama only.
    pub context_tokens: u32,
    /// How many requests may be under way at once; others wait for their turn within their time limit.
    pub max_concurrent: u32,
    /// How often a request is repeated after a fault that may pass.
    pub retries: u32,
    /// What tokens cost, for the counters.
    pub prices: Option<TokenPrices>,
    /// After how many failures in a row the model is left alone.
    pub circuit_failures: u32,
    /// For how long it is left alone then, before one request tries again.
    pub circuit_pause: Duration,
}

impl ModelProfile {
    /// A profile with the defaults.
    #[must_use]
    pub fn new(provider: ModelProvider, model: &str, base_url: Url) -> Self {
        Self {
            provider,
            model: model.to_owned(),
            base_url,
            key: None,
            max_output_tokens: 4_096,
            context_tokens: 16_384,
            max_concurrent: 8,
            retries: 2,
            prices: None,
            circuit_failures: 5,
            circuit_pause: Duration::from_secs(30),
        }
    }

    /// The provider and the model, such as `openai/gpt-5-mini`.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}/{}", self.provider.as_str(), self.model)
    }

    /// Whether the model runs on this machine, so that nothing leaves it.
    #[must_use]
    pub fn is_here(&self) -> bool {
        outgoing::is_here(&self.base_url)
    }

    pub(super) fn read(section: &Section<'_>, folder: &Path, report: &mut Report) -> Option<Self> {
        outgoing::refuse_unknown(section, &KEYS, "key", report);
        let words = ModelProvider::ALL.map(ModelProvider::as_str);
        let provider = section.choice("provider", &words, ModelProvider::parse, report);
        let model = section.filled_text("model", report).map(str::trim);
        for (key, what) in [("provider", "openai, anthropic or ollama"), ("model", "the model's name there")]
        {
            if section.get(key).is_none() {
                report.error(&section.path_of(key), format!("is missing: write {what}"));
            }
        }
        if model.is_some_and(|model| model.len() > 256 || model.chars().any(char::is_control)) {
            report.error(&section.path_of("model"), "is not a model's name: write at most 256 visible bytes");
        }
        let provider = provider?;
        let base_url = read_address(section, provider, report);
        let key = KeySource::read(section, "key", "OPENAI_API_KEY", folder, report);
        let own_address = section.get("base_url").is_none();
        if provider.needs_key() && own_address && section.get("key_env").or(section.get("key_file")).is_none()
        {
            report.error(
                &section.path_of("key_env"),
                "is missing: name the environment variable that holds the key, or the file with `key_file`",
            );
        }
        let mut profile = Self { key, ..Self::new(provider, model?, base_url?) };
        let mut take = |key, least, most, setting: &mut u32| {
            if let Some(number) = section.integer(key, least, most, report) {
                *setting = number;
            }
        };
        take("max_output_tokens", 64, 65_536, &mut profile.max_output_tokens);
        take("max_concurrent", 1, 1_024, &mut profile.max_concurrent);
        take("retries", 0, 5, &mut profile.retries);
        take("circuit_failures", 1, 1_000, &mut profile.circuit_failures);
        take("context_tokens", 8_192, 1 << 20, &mut profile.context_tokens);
        if section.get("context_tokens").is_some() && provider != ModelProvider::Ollama {
            report.error(&section.path_of("context_tokens"), "is a setting of Ollama alone; remove it");
        }
        let (second, hour) = (Duration::from_secs(1), Duration::from_secs(3_600));
        if let Some(pause) = section.duration("circuit_pause", second, hour, report) {
            profile.circuit_pause = pause;
        }
        profile.prices = read_prices(section, report);
        Some(profile)
    }

    pub(super) fn effective(&self) -> Value {
        let mut map = Map::from_iter([
            ("kind".to_owned(), json!("model")),
            ("provider".to_owned(), json!(self.provider.as_str())),
            ("model".to_owned(), json!(self.model)),
            ("base_url".to_owned(), json!(self.base_url.as_str())),
            ("max_output_tokens".to_owned(), json!(self.max_output_tokens)),
            ("max_concurrent".to_owned(), json!(self.max_concurrent)),
            ("retries".to_owned(), json!(self.retries)),
            ("circuit_failures".to_owned(), json!(self.circuit_failures)),
            ("circuit_pause".to_owned(), json!(render_duration(self.circuit_pause))),
        ]);
        map.extend(self.key.as_ref().map(|key| key.effective("key")));
        if self.provider == ModelProvider::Ollama {
            map.insert("context_tokens".to_owned(), json!(self.context_tokens));
        }
        if let Some(prices) = self.prices {
            for (key, micros) in
                [("prompt_price", prices.prompt_micros), ("completion_price", prices.completion_micros)]
            {
                // Prices are far below what a float can hold exactly.
                map.insert(key.to_owned(), json!(micros as f64 / MICROS));
            }
        }
        Value::Object(map)
    }
}

fn read_address(section: &Section<'_>, provider: ModelProvider, report: &mut Report) -> Option<Url> {
    let path = section.path_of("base_url");
    let text = match section.get("base_url") {
        Some(_) => section.filled_text("base_url", report)?.trim(),
        None => provider.default_address(),
    };
    match parse_address(text, provider) {
        Ok(address) => Some(address),
        Err(message) => {
            report.error(&path, message);
            None
        }
    }
}

/// Reads a base address. The text may hold a password and is never repeated.
fn parse_address(text: &str, provider: ModelProvider) -> Result<Url, String> {
    let address = outgoing::parse_address(text, provider.default_address(), "commands and the key")?;
    if address.query().is_some() {
        return Err("holds a `?`; write the address alone".to_owned());
    }
    let own_path = address.path().trim_end_matches('/');
    if let Some(surplus) = provider.surplus().iter().find(|surplus| own_path.ends_with(*surplus)) {
        return Err(format!("ends in `{surplus}`, which is added to it; leave that out"));
    }
    Ok(address)
}

fn read_prices(section: &Section<'_>, report: &mut Report) -> Option<TokenPrices> {
    let mut price = |key: &str, other: &str| {
        let Some(value) = section.get(key) else {
            if section.get(other).is_some() {
                report.error(
                    &section.path_of(key),
                    format!("is missing beside `{other}`; a price of nothing is 0"),
                );
            }
            return None;
        };
        let number = value.as_f64().filter(|number| (0.0..=MAX_PRICE).contains(number));
        if number.is_none() {
            report.error(
                &section.path_of(key),
                "must be what a million tokens cost, a number from 0 to 1000000 in any currency",
            );
        }
        // Within the bound above, rounding loses nothing that matters.
        number.map(|number| (number * MICROS).round() as u64)
    };
    let prompt_micros = price("prompt_price", "completion_price");
    let completion_micros = price("completion_price", "prompt_price");
    Some(TokenPrices { prompt_micros: prompt_micros?, completion_micros: completion_micros? })
}
