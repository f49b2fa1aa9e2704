//! From the configuration's profiles to raters.
//!
//! Promises that every profile can rate, that a key which is not there is found before anything starts, and that a profile
//! which did not change keeps its counters and its breaker over a reload, as projects keep what they spent. It must not know what a profile is asked.

use super::budget::{Budgeted, Budgets};
use super::model::{ModelRater, Usage};
use super::{Assessing, BuiltIn, Cascade, Rater, Rating, RatingScope, Sharing};
use crate::config::{DEFAULT_PROFILE, ModelProfile, Problem, Problems, RaterProfile, RaterSettings};
use crate::gate::{FailureCause, RatingRequest, RatingSubject};
use crate::outgoing::Secret;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rater that is built in.
#[must_use]
pub fn built_in() -> Arc<dyn Rater> {
    Arc::new(BuiltIn)
}

/// The raters of a configuration, by the name of their profile.
#[derive(Debug)]
pub struct Profiles {
    raters: BTreeMap<String, Arc<dyn Rater>>,
    models: BTreeMap<String, Model>,
    budgets: Arc<Budgets>,
}

/// A model with what is shared of it: a profile of its own and a cascade over it ask the same one.
#[derive(Debug, Clone)]
struct Model {
    rater: ModelRater,
    sharing: Arc<Sharing>,
}

impl Profiles {
    /// Sets up every profile, and takes over what is unchanged from the ones `before`.
    ///
    /// # Errors
    /// Every profile that cannot be set up, by the setting that keeps it from it.
    pub fn set_up(settings: &RaterSettings, before: Option<&Self>) -> Result<Self, Problems> {
        let mut problems = Vec::new();
        let mut models = BTreeMap::new();
        let budgets = before.map(|before| Arc::clone(&before.budgets)).unwrap_or_default();
        for (name, profile) in &settings.profiles {
            match profile {
                RaterProfile::Model(profile) => match model(settings, name, profile, (&budgets, before)) {
                    Ok(model) => {
                        models.insert(name.clone(), model);
                    }
                    Err(problem) => problems.push(*problem),
                },
                RaterProfile::Builtin | RaterProfile::Cascade { .. } => {}
            }
        }
        if !problems.is_empty() {
            return Err(Problems::new(problems));
        }
        let built_in = built_in();
        let mut raters: BTreeMap<String, Arc<dyn Rater>> = BTreeMap::new();
        for (name, profile) in &settings.profiles {
            let behind = match profile {
                RaterProfile::Builtin => None,
                RaterProfile::Model(_) => models.get(name).map(|model| (model, false)),
                RaterProfile::Cascade { second } => models.get(second).map(|model| (model, true)),
            };
            let rater: Arc<dyn Rater> = match behind {
                Some((model, true)) => {
                    Arc::new(Cascade::new(Arc::clone(&built_in), Arc::clone(&model.sharing) as _))
                }
                Some((model, false)) => Arc::new(CommandsToModel {
                    commands: Arc::clone(&model.sharing),
                    tools: Arc::clone(&built_in),
                }),
                None => Arc::clone(&built_in),
            };
            raters.insert(name.clone(), rater);
        }
        Ok(Self { raters, models, budgets })
    }

    /// What each model was asked so far and what it cost, by the name of its profile.
    #[must_use]
    pub fn usage(&self) -> BTreeMap<String, Usage> {
        self.models.iter().map(|(name, model)| (name.clone(), model.rater.usage())).collect()
    }

    /// What projects have spent on these models, and may.
    #[must_use]
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    fn rater(&self, profile: Option<&str>) -> Option<&Arc<dyn Rater>> {
        self.raters.get(profile.unwrap_or(DEFAULT_PROFILE))
    }
}

impl Rater for Profiles {
    fn rate(&self, request: RatingRequest) -> Rating {
        match self.rater(request.profile.as_deref()) {
            Some(rater) => rater.rate(request),
            None => Box::pin(std::future::ready(Err(FailureCause::NoModel))),
        }
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        match self.rater(request.profile.as_deref()) {
            Some(rater) => rater.assess(request, scope),
            // The policy changed while the call was under way.
            None => Box::pin(std::future::ready(Err(FailureCause::NoModel).into())),
        }
    }

    fn usage(&self) -> BTreeMap<String, Usage> {
        Self::usage(self)
    }

    fn forget(&self, project: &str, session: &str) {
        for model in self.models.values() {
            model.sharing.forget(project, session);
        }
    }
}

/// Sets one model up, or takes it over.
fn model(
    settings: &RaterSettings,
    name: &str,
    profile: &ModelProfile,
    (budgets, before): (&Arc<Budgets>, Option<&Profiles>),
) -> Result<Model, Box<Problem>> {
    let key =
        match &profile.key {
            Some(source) => Some(Secret::resolve(source).map_err(|error| {
                Box::new(settings.problem(name, &source.setting("key"), error.to_string()))
            })?),
            None => None,
        };
    let kept = before
        .and_then(|before| before.models.get(name))
        .filter(|model| model.rater.is_of(profile, key.as_ref()));
    if let Some(model) = kept {
        return Ok(model.clone());
    }
    let rater = ModelRater::new(name, profile.clone(), key)
        .map_err(|error| Box::new(settings.problem(name, "base_url", error.to_string())))?;
    let budgeted = Budgeted::new(rater.clone(), Arc::clone(budgets));
    let sharing = Arc::new(Sharing::new(Arc::new(budgeted)));
    Ok(Model { rater, sharing })
}

/// What is missing for the profiles of a configuration on this machine, as warnings: it may be meant for another one.
#[must_use]
pub fn missing_keys(settings: &RaterSettings) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for (name, profile) in &settings.profiles {
        let RaterProfile::Model(profile) = profile else { continue };
        let Some(source) = &profile.key else { continue };
        if let Err(error) = Secret::resolve(source) {
            let message = format!("a gate would not start here: {}: {error}", source.setting("key"));
            warnings.push(settings.warning(name, message));
        }
    }
    warnings
}

/// Commands go to a model; what tools are given stays here.
#[derive(Debug)]
struct CommandsToModel {
    commands: Arc<Sharing>,
    tools: Arc<dyn Rater>,
}

impl CommandsToModel {
    fn for_subject(&self, subject: &RatingSubject) -> &dyn Rater {
        match subject {
            RatingSubject::Command { .. } => self.commands.as_ref(),
            RatingSubject::Tool { .. } => self.tools.as_ref(),
        }
    }
}

impl Rater for CommandsToModel {
    fn rate(&self, request: RatingRequest) -> Rating {
        self.for_subject(&request.subject).rate(request)
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        self.for_subject(&request.subject).assess(request, scope)
    }
}
