//! Lists, page by page.
//!
//! Promises that the pages of one list follow each other and end. Knows nothing of what is listed.

use super::{Client, Error};
use crate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::manage_grants_response::Result as Managed;

/// The pages of a list. A request with a page token goes on behind it.
#[derive(Debug, Clone)]
pub struct Pages<Request> {
    client: Client,
    request: Request,
    over: bool,
}

impl Client {
    /// The records of decisions, page by page.
    #[must_use]
    pub fn decisions(&self, request: pb::ListDecisionsRequest) -> Pages<pb::ListDecisionsRequest> {
        Pages { client: self.clone(), request, over: false }
    }

    /// The sessions of a project, page by page.
    #[must_use]
    pub fn sessions(&self, request: pb::ListSessionsRequest) -> Pages<pb::ListSessionsRequest> {
        Pages { client: self.clone(), request, over: false }
    }

    /// The grants of a project, and with a session its own grants and denials, page by page.
    #[must_use]
    pub fn grants(&self, project: &str, session_id: &str, list: pb::ListGrants) -> Pages<ListedGrants> {
        let request = ListedGrants { project: project.to_owned(), session_id: session_id.to_owned(), list };
        Pages { client: self.clone(), request, over: false }
    }
}

/// Whose grants are listed.
#[derive(Debug, Clone)]
pub struct ListedGrants {
    project: String,
    session_id: String,
    list: pb::ListGrants,
}

impl Pages<pb::ListDecisionsRequest> {
    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// The list cannot be read.
    pub async fn next(&mut self) -> Result<Option<pb::ListDecisionsResponse>, Error> {
        if self.over {
            return Ok(None);
        }
        let page = self.client.list_decisions(self.request.clone()).await?;
        self.over = turn(&mut self.request.page_token, &page.next_page_token)?;
        Ok(Some(page))
    }

    /// How many records the next page holds at most.
    pub fn set_page_size(&mut self, size: i32) {
        self.request.page_size = size;
    }
}

impl Pages<pb::ListSessionsRequest> {
    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// The list cannot be read.
    pub async fn next(&mut self) -> Result<Option<pb::ListSessionsResponse>, Error> {
        if self.over {
            return Ok(None);
        }
        let page = self.client.list_sessions(self.request.clone()).await?;
        self.over = turn(&mut self.request.page_token, &page.next_page_token)?;
        Ok(Some(page))
    }
}

impl Pages<ListedGrants> {
    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// The list cannot be read.
    pub async fn next(&mut self) -> Result<Option<pb::GrantList>, Error> {
        if self.over {
            return Ok(None);
        }
        let request = pb::ManageGrantsRequest {
            project: self.request.project.clone(),
            session_id: self.request.session_id.clone(),
            request_id: String::new(),
            operation: Some(Operation::List(self.request.list.clone())),
        };
        let Some(Managed::List(page)) = self.client.manage_grants(request).await?.result else {
            return Err(Error::UnexpectedAnswer("it is no list of grants".to_owned()));
        };
        self.over = turn(&mut self.request.list.page_token, &page.next_page_token)?;
        Ok(Some(page))
    }
}

/// Goes on to the next page; says whether there is none.
fn turn(token: &mut String, next: &str) -> Result<bool, Error> {
    if !next.is_empty() && token == next {
        // Whoever asks for the same page again and again never gets to an end.
        return Err(Error::UnexpectedAnswer("it names the page that it is as the next one".to_owned()));
    }
    next.clone_into(token);
    Ok(next.is_empty())
}
