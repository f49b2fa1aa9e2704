//! Tokens that were signed with RSA keys which nobody has any more, good until the year 2100. (ring makes no RSA keys.)

/// The keys; the second is too short to be believed.
pub(super) const KEYS: [&str; 2] = [
    r#"{"kty": "RSA", "kid": "rsa", "n": "xUSeL0oOzqmgfHQtgiopO3UEcIyYCt3whPcX06OaaONnE6YvpkJXd20ePVaOT28jBTCcq5pFJ2fI562HyU_B1rXPe51Vg7rUYyp9SDrbR48dzj0w8_GeGVz0dBB-rumBlsqqAJzqJ1_X522rC3Sm954-oKkhejt3QkMfutzhM1pNflrGcS69ndizq4loCChxEUfjeUr76fA6JM1Mt41WbjcW-xzDh85WM5Vfa9zhBMU5-9H3MQ16d9qh2jEDxKNjJtZptfzxaGMfNZJcBNJj5qPasoKfmA47c2bLWYYEUp4LZsHPPUXMdHVXvAtFR6IegfpnTJCZVVq13hjexGJmDw", "e": "AQAB"}"#,
    r#"{"kty": "RSA", "kid": "weak", "n": "tMuUWOW-82S7KuJkxRMTjQYntjVdwH9Xf1MfY4Q9IJhmPi3Xd-ITaBSXxWMbj3nn0MGwOV3BmX5KOMeIAnURLhpusWHnYw_8AshEBHfrVle_v5mmoD6WT3UWZRx_brzD25NXK59DwsNu3Z8vjXlhpx8kHNnxVTe36xW3ac4yHpU", "e": "AQAB"}"#,
];

/// A token for each algorithm, by the first key.
pub(super) const SOUND: [(&str, &str); 6] = [
    (
        "RS256",
        "eyJhbGciOiAiUlMyNTYiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.EZ6qSdLH6Mtdf0rmGaACznN_rekYRjL56VLyk1rW1Oq--bzG8Vxu5nNwPdL08-POQ_6hFmOm2nhGKYrZQMUscGLVBcTTHbkcmVXwk2jAo4k2VTLLPPYj2AX115QWJXeriZXn4DZ9WyP9VvH4A4GabObRhqLRU_igm8vnW0CW5lfI9I4g4Yq91JhpZg2ucs34JTrO1CTMG6MKEsXQvDhXx4cl6odNQHaO50ypH4dzJZrPgYKHadqGJ-1sEW_RGP-46JIZuSxWopAruyF6QqKmkdbsgjaSkPUIorLK1NZTLkYaVX104-UogCLFoyNnTWkgwjvb-QBGggIsTO_mqsz_Jg",
    ),
    (
        "RS384",
        "eyJhbGciOiAiUlMzODQiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.eKrMgu8FrM3PQf4aslWbl7f5pm-sGlgWHuv7J9qP3pem3liQzAX8cbFrELquoX_xDtWzBzlUms6xG72yNfxA65zdWAogjuZvpT2cccJ-kUktuty0VO0TfE1OMLhnc0bo-bmwcXa8TihhKIZw3SR1TTbFQXLXFNTaQMWnCAUKRGO6Li0apx3nIq54C5irwrn5BUoFsm275Nj47ibnzRX3v_neTwp2ATioQEF5R5XwexlM5GloNBO9C6vwklk0Ytb7BPIXERH9-gfxlLxJdSuNLXZHq82LyhMewCNsDN3bM0Ef67loViDkym4skWCRu0VPiyuH6Aq0TWv4H6VyHFqKqg",
    ),
    (
        "RS512",
        "eyJhbGciOiAiUlM1MTIiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.elTskeXlGE58taHdIrH8LPXUrGSrmJBaq0n5B5l64DWlREevZXWDKF6BCLhNJHSJeuMSO-Tq0lOsvah0dbCrfzUsxtMCgX7B-m6RQmNE_p_Ie1OXgj5Lc4NDylvjWrYyvjej2OZf15JYDucbLcfLKVgcvZ1etzv2ER55Djea0-0ITIN_csI-e5ZSubeney5hwYdrnwCS-wejWZpRuJbpuMBVFoPSTX1pSBGAdGf-u5QQMsnbTf7mkPNSTT8zJXo8Zn9j70wukKACRbd0urBLi26WXkpjlNPFHMZw03_EJy3j0nY3pD8fbKjb8RxAg0b4jkrSNK0qWAuUthsjdXZIbA",
    ),
    (
        "PS256",
        "eyJhbGciOiAiUFMyNTYiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.TFe7yEKItQALArqwwJxxsmZaPuedI3AIS_f1cGZ0QdKdTnOsXp2DKX0nPhbSE4W7c5EjxKfN-qT1N0wCX2FjkUmv2MZH8MteURYJv-C2EqZT-FfUuqn21dW_bsmZ3-qUTynQj-riOq_pGz07iAVHz0-eOBfmcxfxwpKzkWC7hZJBBRkgn41C3na7-TERobxHAdKz3pjctdkR1r8PYTWAcszjLXg_r-W1SACXOWVLX_Q8wpUXtfFdNGCjqJHNpgKOUcrPutrhlzIi_QwU1wXZWPLiufZtyeQLi1hB16nX-X-BkFql4mmJrey4jQ3Ty-ikBdv78y6DKmng4fFyWEyUwA",
    ),
    (
        "PS384",
        "eyJhbGciOiAiUFMzODQiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.m6Tumu9rDJjZrjUSLyLkIvpDoICFajatPzCP3WMyug_-0cLtLOa3UaFMepNwD3FaRJWmcI_utNJXeY-_DFuc2AbG7ef2uytjnaIANzGaYXKqRbq-ibp4e3-Y5cNVPNM02XuC6CZOdpaPyaNIlwBS02JFugiVc4OHiBNtH9DCk4LxzkFp7HQpgn5Q-hiZTKRcZ2_izsF1LQDgfrRrzsdq7bD-a2IRgODoL_5aeiXtKXZXpsNfv5k2PQyIkGn-ilijcpIiTw7z0c3hmugnpZhc5rBCawsVPO1PTnTI4mlJ2rEbiqx27FdNBFaj_sXEiwX0sBDT-DR_KsGFFDqF62J_Og",
    ),
    (
        "PS512",
        "eyJhbGciOiAiUFM1MTIiLCAia2lkIjogInJzYSIsICJ0eXAiOiAiSldUIn0.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.nC8bYniuWxLjfXr91hCamDG3cneckawBA3SQ9ffD3bgnj-xNUhNpqZKE7Q1KOVKe-QA651d_5U10MkJbk6BNjS5MT6AwGtdAcomtt1pA_6plZ5zP0G1xdjCUVsK12bIQs0-u8w9pJyIm1KAGDXrenfw4szm1WnjdOLfJrzyF-MT53YRMcm910bEbHxYIcXDf6BrjQU4692G9KR_rwNBkzcwsHysla0myYyiDJrVDxn2teh8uU3PnnvAqn8XKCopkcqRFx6irTHFOn42kP21u8YQpzaVa9fXbRMStGWB_DyYd70jAgl3eOI1K2v1wT3Q_Q5RCWfh0kX56VWUk-TRgvg",
    ),
];

/// A token by the second key.
pub(super) const WEAK: &str = "eyJhbGciOiAiUlMyNTYiLCAia2lkIjogIndlYWsiLCAidHlwIjogIkpXVCJ9.eyJpc3MiOiAiaHR0cHM6Ly9sb2dpbi5leGFtcGxlIiwgImF1ZCI6ICJoYWx0Z2F0ZSIsICJzdWIiOiAiYW5hIiwgImV4cCI6IDQxMDI0NDQ4MDB9.mdg4zLgxk5b19ZIVnuYqzW4SYDGVLiM8xOHeReZ-Z1rg2QhwdHGcLBKCTGyDUXMtr6xaS_ZlR5W-8T6N1TLgeC5StpcQYtGL5qq_WrO2e87x-r08YpVqIK09jiJxvCyqaDO74JMaeaN5GD638KTd_jIWsczwYXX44qsfbke6w1A";
